// The findings of a launch: one per cause, and without those that only follow from another.
#include "kernels/emulator/finding_log.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "kernels/testing/sample_finding.h"

namespace histolab::kernels::emulator {
namespace {

using enum FindingKind;

Finding at(FindingKind kind, int line, int other_line = 0, std::string variable = "h", Space space = Space::shared) {
  return kernels::testing::finding_at(kind, line, other_line, std::move(variable), space);
}

// "data_race h 3/9" ..., in the log's order.
std::string told(const FindingLog& log) {
  std::string text;
  for (const Finding& f : log.findings()) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", name(f.kind), f.variable, f.line);
    if (f.other_line != 0) text += fmt::format("/{}", f.other_line);
  }
  return text;
}

TEST_CASE("who asks is told each finding once, when it is new") {
  FindingLog log;
  std::string seen;
  log.on_new = [&](const Finding& finding) { seen += fmt::format("{} ", finding.line); };
  log.add(at(data_race, 3, 9));
  log.add(at(data_race, 9, 3));
  log.add(at(out_of_bounds, 4));
  log.again(0, 7);
  CHECK(seen == "3 4 ");
}

TEST_CASE("one cause is one finding, however often it is added; others get the next number") {
  FindingLog log;
  CHECK(log.add(at(data_race, 3, 9)) == 0);
  CHECK(log.add(at(data_race, 3, 3)) == 1);
  CHECK(log.add(at(data_race, 9, 3)) == 0);
  CHECK(log.add(at(out_of_bounds, 3)) == 2);
  CHECK(told(log) == "data_race h 3/9, data_race h 3/3, out_of_bounds h 3");
}

TEST_CASE("a count is of all sights: added with their counts, or once more by number") {
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

TEST_CASE("the better witness takes the place of the first, under the same number") {
  FindingLog log;
  log.add(at(data_race, 3, 3));
  const std::size_t number = log.add(at(uninitialized_read, 9));
  CHECK(log.add(at(uninitialized_read, 5)) == number);
  CHECK(told(log) == "data_race h 3/3, uninitialized_read h 5");
}

TEST_CASE("a finding can turn out to be a note, which explains no other") {
  FindingLog log;
  const std::size_t race = log.add(at(data_race, 9, 9));
  log.add(at(data_race, 3, 9));
  log.add(at(uninitialized_read, 9));
  log.soften(race, "it does not matter");
  CHECK(log.findings()[race].severity == Severity::note);
  CHECK(log.findings()[race].message == "it does not matter");
  log.settle();
  CHECK(told(log) == "data_race h 9/9, data_race h 3/9");
}

TEST_CASE("settling drops what follows from another finding, and puts first what to mend first") {
  struct Row {
    std::string rule;
    std::vector<Finding> added;
    std::string told;
  };
  const Space g = Space::global;
  for (const Row& row : {
           Row{"a race with a line that races with itself is told at that line",
               {at(data_race, 3, 9), at(data_race, 9, 9), at(data_race, 9, 12)}, "data_race h 9/9"},
           Row{"... but not for another variable", {at(data_race, 3, 9, "a"), at(data_race, 9, 9, "b")}, "data_race a 3/9, data_race b 9/9"},
           Row{"... nor in another space", {at(data_race, 3, 9), at(data_race, 9, 9, "h", g)}, "data_race h 3/9, data_race h 9/9"},
           Row{"... nor between two other lines", {at(data_race, 3, 4), at(data_race, 9, 9)}, "data_race h 3/4, data_race h 9/9"},
           Row{"... nor when neither races with itself", {at(data_race, 3, 9), at(data_race, 9, 12)}, "data_race h 3/9, data_race h 9/12"},
           Row{"two lines that each race with themselves are two updates",
               {at(data_race, 3, 3), at(data_race, 3, 9), at(data_race, 9, 9)}, "data_race h 3/3, data_race h 9/9"},

           Row{"an uninitialized read at a line that races with the initialization is the race",
               {at(uninitialized_read, 9), at(data_race, 3, 9)}, "data_race h 3/9"},
           Row{"... in either order of the race's lines", {at(uninitialized_read, 9), at(data_race, 9, 3)}, "data_race h 9/3"},
           Row{"... but not at a line of no race", {at(uninitialized_read, 8), at(data_race, 3, 9)}, "uninitialized_read h 8, data_race h 3/9"},
           Row{"... nor of another variable", {at(uninitialized_read, 9, 0, "a"), at(data_race, 3, 9)}, "uninitialized_read a 9, data_race h 3/9"},

           Row{"threads that did not wait at a barrier race with those that did: the barrier is told",
               {at(data_race, 3, 9), at(uninitialized_read, 4, 0, "s"), at(barrier_divergence, 12, 0, "", Space::none)}, "barrier_divergence  12"},
           Row{"... but a race in global memory is its own mistake",
               {at(data_race, 3, 9, "out", g), at(barrier_divergence, 12, 0, "", Space::none)}, "barrier_divergence  12, data_race out 3/9"},
           Row{"... and so is an index out of bounds",
               {at(out_of_bounds, 3), at(barrier_divergence, 12, 0, "", Space::none)}, "barrier_divergence  12, out_of_bounds h 3"},

           Row{"the others stay in the order in which they were seen",
               {at(out_of_bounds, 7), at(misaligned_access, 2), at(data_race, 5, 6), at(write_to_input, 1, 0, "data", g)},
               "out_of_bounds h 7, misaligned_access h 2, data_race h 5/6, write_to_input data 1"},
           Row{"nothing stays nothing", {}, ""},
       }) {
    CAPTURE(row.rule);
    FindingLog log;
    for (const Finding& finding : row.added) log.add(finding);
    log.settle();
    CHECK(told(log) == row.told);
    log.settle();
    CHECK(told(log) == row.told);  // settled is settled
  }
}

}  // namespace
}  // namespace histolab::kernels::emulator
