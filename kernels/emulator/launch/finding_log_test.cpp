// Tests the findings of a launch: one per cause, without those that only follow from another one.
#include "kernels/emulator/launch/finding_log.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "kernels/testing/sample_finding.h"

namespace histolab::kernels::emulator {
namespace {

using enum FindingKind;

Finding at(FindingKind kind, int line, int other_line = 0, std::string variable = "h",
           Space space = Space::shared) {
  return kernels::testing::finding_at(kind, line, other_line, std::move(variable), space);
}

// Returns "data_race h 3/9" and so on, in the log's order.
std::string told(const FindingLog& log) {
  std::string text;
  for (const Finding& f : log.findings()) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", name(f.kind), f.variable, f.line);
    if (f.other_line != 0) text += fmt::format("/{}", f.other_line);
  }
  return text;
}

TEST_CASE("on_new is called once for each new finding") {
  FindingLog log;
  std::string seen;
  log.on_new = [&](const Finding& finding) { seen += fmt::format("{} ", finding.line); };
  log.add(at(data_race, 3, 9));
  log.add(at(data_race, 9, 3));
  log.add(at(out_of_bounds, 4));
  log.again(0, 7);
  CHECK(seen == "3 4 ");
}

TEST_CASE("findings with one cause are one finding; others get the next number") {
  FindingLog log;
  CHECK(log.add(at(data_race, 3, 9)) == 0);
  CHECK(log.add(at(data_race, 3, 3)) == 1);
  CHECK(log.add(at(data_race, 9, 3)) == 0);
  CHECK(log.add(at(out_of_bounds, 3)) == 2);
  CHECK(told(log) == "data_race h 3/9, data_race h 3/3, out_of_bounds h 3");
}

TEST_CASE("the count of a finding sums the counts of its repetitions") {
  FindingLog log;
  Finding several = at(out_of_bounds, 3);
  several.count = 10;
  const std::size_t number = log.add(at(out_of_bounds, 3));
  log.add(at(out_of_bounds, 4));
  log.add(several);
  log.again(number);
  CHECK(log.findings()[number].count == 12);
  CHECK(log.findings()[1].count == 1);
}

TEST_CASE(
    "a repeated uninitialized read keeps its number and the lowest line, a divergence its first "
    "lines") {
  FindingLog log;
  log.add(at(data_race, 3, 3));
  const std::size_t number = log.add(at(uninitialized_read, 9));
  CHECK(log.add(at(uninitialized_read, 5)) == number);
  log.add(at(barrier_divergence, 12, 15));
  log.add(at(barrier_divergence, 4, 5));
  CHECK(told(log) == "data_race h 3/3, uninitialized_read h 5, barrier_divergence h 12/15");
}

TEST_CASE("a race that turns out to be a lost update is reported as that, with its count") {
  FindingLog log;
  Finding first = at(data_race, 7, 9), second = at(data_race, 9, 7), third = at(data_race, 7, 9);
  first.message = "out of order";
  second.message = "an update is lost";
  third.message = "again";
  first.count = 3;
  const std::size_t number = log.add_race(first, RaceHarm::disorder);
  CHECK(log.add_race(second, RaceHarm::lost_update) == number);
  CHECK(log.add_race(third, RaceHarm::disorder) == number);
  CHECK(log.findings()[number].message == "an update is lost");
  CHECK(log.findings()[number].count == 5);
}

TEST_CASE("a finding that is softened to a note explains no other and comes last") {
  FindingLog log;
  const std::size_t race = log.add_race(at(data_race, 9, 9), RaceHarm::lost_update);
  log.add_race(at(data_race, 3, 9), RaceHarm::disorder);
  log.add(at(uninitialized_read, 12));
  log.soften(race, "it does not matter");
  CHECK(log.findings()[race].severity == Severity::note);
  CHECK(log.findings()[race].message == "it does not matter");
  log.settle();
  CHECK(told(log) == "data_race h 3/9, uninitialized_read h 12, data_race h 9/9");
}

// An event in a launch, in order of time.
struct Event {
  enum class What { finding, barrier, block } what = What::finding;
  Finding finding = {};
  RaceHarm harm = RaceHarm::disorder;
  bool decides_barrier = false;
};
Event lost(Finding race) { return {.finding = std::move(race), .harm = RaceHarm::lost_update}; }
Event both_write(Finding race) {
  return {.finding = std::move(race), .harm = RaceHarm::both_write};
}
Event seen(Finding finding) { return {.finding = std::move(finding)}; }
Event deciding(Finding finding) { return {.finding = std::move(finding), .decides_barrier = true}; }
const Event barrier{.what = Event::What::barrier}, block{.what = Event::What::block};

FindingLog log_of(const std::vector<Event>& events) {
  FindingLog log;
  log.begin_block();
  for (const Event& event : events) {
    if (event.what == Event::What::barrier)
      log.begin_epoch();
    else if (event.what == Event::What::block)
      log.begin_block();
    else if (event.finding.kind == data_race)
      log.add_race(event.finding, event.harm, event.decides_barrier);
    else if (const std::size_t number = log.add(event.finding); event.decides_barrier)
      log.decides_barrier(number);
  }
  return log;
}

TEST_CASE("settle drops findings that follow from another, and puts first what to fix first") {
  struct Row {
    std::string rule;
    std::vector<Event> events;
    std::string told;
  };
  const Space g = Space::global;
  const Event divergence = seen(at(barrier_divergence, 12, 0, "", Space::none));
  for (const Row& row : {
           Row{"a race with a line of a lost update is that update",
               {seen(at(data_race, 3, 9)), lost(at(data_race, 9, 9)), seen(at(data_race, 9, 12))},
               "data_race h 9/9"},
           Row{"... of an update on two lines, too, and the writes of its own line as well",
               {both_write(at(data_race, 9, 9)), seen(at(data_race, 3, 9)),
                lost(at(data_race, 7, 9)), seen(at(data_race, 7, 12))},
               "data_race h 7/9"},
           Row{"... but not for another variable",
               {seen(at(data_race, 3, 9, "a")), lost(at(data_race, 9, 9, "b"))},
               "data_race a 3/9, data_race b 9/9"},
           Row{"... nor in another space",
               {seen(at(data_race, 3, 9)), lost(at(data_race, 9, 9, "h", g))},
               "data_race h 3/9, data_race h 9/9"},
           Row{"... nor between two other lines",
               {seen(at(data_race, 3, 4)), lost(at(data_race, 9, 9))},
               "data_race h 3/4, data_race h 9/9"},
           Row{"... nor when neither is an update",
               {seen(at(data_race, 3, 9)), seen(at(data_race, 9, 9))},
               "data_race h 3/9, data_race h 9/9"},
           Row{"two lines that are each an update are two updates",
               {lost(at(data_race, 3, 3)), seen(at(data_race, 3, 9)), lost(at(data_race, 9, 9))},
               "data_race h 3/3, data_race h 9/9"},

           Row{"two writes explain nothing, and come behind another race on the variable: perhaps "
               "they write the same value",
               {both_write(at(data_race, 9, 9)), seen(at(data_race, 9, 12)),
                seen(at(out_of_bounds, 20))},
               "data_race h 9/12, out_of_bounds h 20, data_race h 9/9"},
           Row{"... else they stay where they were seen",
               {both_write(at(data_race, 9, 9)), seen(at(data_race, 9, 12, "a"))},
               "data_race h 9/9, data_race a 9/12"},

           Row{"an uninitialized read at a line that races with the initialization is the race",
               {seen(at(uninitialized_read, 9)), seen(at(data_race, 3, 9))},
               "data_race h 3/9"},
           Row{"... in either order of the race's lines",
               {seen(at(uninitialized_read, 9)), seen(at(data_race, 9, 3))},
               "data_race h 9/3"},
           Row{"... but not at a line of no race",
               {seen(at(uninitialized_read, 8)), seen(at(data_race, 3, 9))},
               "uninitialized_read h 8, data_race h 3/9"},
           Row{"... nor of another variable",
               {seen(at(uninitialized_read, 9, 0, "a")), seen(at(data_race, 3, 9))},
               "uninitialized_read a 9, data_race h 3/9"},
           Row{"a lost update of shared memory that is not set is one mistake",
               {seen(at(uninitialized_read, 9)), lost(at(data_race, 9, 9))},
               "data_race h 9/9"},
           Row{"... and of global memory two",
               {seen(at(uninitialized_read, 9, 0, "h", Space::global)),
                lost(at(data_race, 9, 9, "h", Space::global))},
               "uninitialized_read h 9, data_race h 9/9"},

           Row{"threads that miss a barrier race with those that wait there, before it opens and "
               "later: the barrier is reported",
               {seen(at(data_race, 3, 9)), divergence, barrier,
                seen(at(uninitialized_read, 4, 0, "s"))},
               "barrier_divergence  12"},
           Row{"... but what was seen before the barrier before that is a mistake of its own, and "
               "the first one",
               {seen(at(data_race, 3, 9)), seen(at(uninitialized_read, 4, 0, "s")), barrier,
                divergence},
               "data_race h 3/9, uninitialized_read s 4, barrier_divergence  12"},
           Row{"... and so is what is seen in a block in step",
               {divergence, block, seen(at(data_race, 3, 9)), barrier,
                seen(at(data_race, 5, 6, "s")), divergence},
               "barrier_divergence  12, data_race h 3/9"},
           Row{"... a race that decides which barrier a thread comes to is the cause, and not a "
               "consequence",
               {deciding(at(data_race, 16, 18)), seen(at(data_race, 3, 9)), divergence, barrier,
                deciding(at(data_race, 18, 21))},
               "data_race h 16/18, barrier_divergence  12"},
           Row{"... and so is an uninitialized read in that time, unless it is of what a race sets "
               "too late",
               {seen(at(uninitialized_read, 4, 0, "s")), seen(at(uninitialized_read, 9)),
                seen(at(data_race, 3, 9)), divergence},
               "uninitialized_read s 4, barrier_divergence  12"},
           Row{"... at any line that reads the race's variable",
               {seen(at(uninitialized_read, 8)), seen(at(data_race, 3, 9)), divergence},
               "barrier_divergence  12"},
           Row{"... and so is an uninitialized read that decides it",
               {deciding(at(uninitialized_read, 18)), divergence},
               "uninitialized_read h 18, barrier_divergence  12"},
           Row{"... a race in global memory may have another cause, but comes behind the "
               "divergence",
               {seen(at(data_race, 3, 9, "out", g)), divergence},
               "barrier_divergence  12, data_race out 3/9"},
           Row{"... and an index out of bounds is its own mistake",
               {seen(at(out_of_bounds, 3)), divergence},
               "out_of_bounds h 3, barrier_divergence  12"},

           Row{"the others stay in the order in which they were seen",
               {seen(at(out_of_bounds, 7)), seen(at(misaligned_access, 2)),
                seen(at(data_race, 5, 6)), seen(at(write_to_input, 1, 0, "data", g))},
               "out_of_bounds h 7, misaligned_access h 2, data_race h 5/6, write_to_input data 1"},
           Row{"nothing stays nothing", {}, ""},
       }) {
    CAPTURE(row.rule);
    FindingLog log = log_of(row.events);
    log.settle();
    CHECK(told(log) == row.told);
    log.settle();
    CHECK(told(log) == row.told);  // a second settle() changes nothing
  }
}

TEST_CASE("undecided races are those of two plain writes that no other finding explains") {
  FindingLog log = log_of({both_write(at(data_race, 9, 7)), both_write(at(data_race, 5, 5, "s")),
                           lost(at(data_race, 4, 5, "s")), seen(at(data_race, 1, 2))});
  log.settle();
  CHECK(log.undecided() == std::set<RaceName>{{"h", Space::shared, 7, 9}});
}

}  // namespace
}  // namespace histolab::kernels::emulator
