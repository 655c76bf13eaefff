#include "grader/checks/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/checks/outcome.h"
#include "grader/checks/timed_checks.h"
#include "grader/lab/case_counters.h"
#include "grader/report/case_text.h"
#include "grader/report/mismatch.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::Finding;
using kernels::Severity;
using Cases = std::vector<const CaseResult*>;

Cases cases_of(const LabSpec& lab, const CheckSpec& check, const std::vector<CaseResult>& cases) {
  const auto is_judged = [&](const CaseResult& result) {
    // The number of failed compare-and-swaps depends on which block interrupts which.
    if (!check.counter.empty() && result.block_order == kernels::BlockOrder::interleaved)
      return false;
    return std::ranges::any_of(check.cases,
                               [&](std::size_t i) { return lab.cases[i].id == result.id; });
  };
  Cases named;
  for (const CaseResult& each : cases)
    if (is_judged(each)) named.push_back(&each);
  return named;
}

Cases pointers_to(const std::vector<CaseResult>& cases) {
  Cases pointers;
  for (const CaseResult& each : cases) pointers.push_back(&each);
  return pointers;
}

// Returns true for a race with a line that zeroes the output. That is a mistake even in a lab that
// asks for races.
bool is_needless_zeroing(const Finding& finding) {
  return finding.message.find("is already 0 when the kernel starts") != std::string::npos;
}

// Returns the finding that explains wrong counts, or null.
const Finding* first_fault(const CaseResult& result, const LabSpec& lab) {
  for (const Finding& finding : result.findings)
    if (finding.severity == Severity::error &&
        (!lab.wants(finding.kind) || is_needless_zeroing(finding)))
      return &finding;
  return nullptr;
}

// Returns true if a race may have lost updates. Without a race, missing updates were never made.
bool has_race(const CaseResult& result) {
  return std::ranges::find(result.findings, kernels::FindingKind::data_race, &Finding::kind) !=
         result.findings.end();
}

// Returns the race that may change the counts, although they are right this time, or null if
// the case has no race or the lab asks for one.
const Finding* race_behind(const CaseResult& result, const LabSpec& lab) {
  if (lab.wants(kernels::FindingKind::data_race)) return nullptr;
  const auto is_race = [](const Finding& f) {
    return f.kind == kernels::FindingKind::data_race && f.severity == Severity::error;
  };
  const auto race = std::ranges::find_if(result.findings, is_race);
  return race == result.findings.end() ? nullptr : &*race;
}

// The last error reported is the one that stopped the launch.
const Finding* last_error(const CaseResult& result) {
  for (auto at = result.findings.rbegin(); at != result.findings.rend(); ++at)
    if (at->severity == Severity::error) return &*at;
  return nullptr;
}

// Returns a failure. `finding` explains it; null if no finding does.
Outcome caused_by(const Finding* finding, Seen seen) {
  Outcome outcome = failed(std::move(seen));
  if (finding != nullptr) {
    outcome.line = finding->line;
    outcome.cause = *finding;
  }
  return outcome;
}

// `message` is the reason for the ending. It may be empty.
Seen seen_of_ending(const CaseResult& result, std::string_view ending, std::string_view message) {
  kernels::MessageParts parts = kernels::parts_of(message);
  return {.where = described(result),
          .what = fmt::format("{}{}{}", ending, message.empty() ? "" : ": ", parts.what),
          .of_where = true,
          .next = std::move(parts.next)};
}

// Returns why a case has no result to judge, or a passed outcome if it has one.
Outcome incomplete(const CaseResult& result) {
  if (!result.skipped.empty()) {
    Outcome outcome = failed(seen_of_ending(result, "was not run", result.skipped));
    outcome.was_not_run = true;
    return outcome;
  }
  const Finding* finding = last_error(result);
  switch (result.ending) {
    case Ending::completed: break;
    case Ending::stopped: {
      Outcome outcome = caused_by(
          finding, seen_of_ending(result, "was stopped",
                                  finding != nullptr ? finding->message : result.ending_detail));
      outcome.tells_cause = finding != nullptr;
      return outcome;
    }
    case Ending::timed_out:
      return caused_by(finding, seen_of_ending(result, "took too long", result.ending_detail));
    case Ending::crashed:
      return caused_by(finding, seen_of_ending(result, "crashed", result.ending_detail));
  }
  return passed({});
}

// Returns true if atomic operations reached the output. The atomic pressure is known for the last
// launch only.
bool updates_output(const CaseResult& result, std::uint32_t launch, const KernelSpec& kernel) {
  if (launch != result.runs.size()) return false;
  const auto output =
      std::ranges::find(kernel.arguments, KernelArgument::Kind::output, &KernelArgument::kind);
  const auto is_output = [&](const reference::AtomicPressure& each) {
    return !each.shared && each.variable == output->name && each.updates > 0;
  };
  return output != kernel.arguments.end() && std::ranges::any_of(result.pressure, is_output);
}

std::optional<Symptom> symptom_of(const CaseResult& result, std::uint32_t launch,
                                  const KernelSpec& kernel) {
  const auto& got = result.runs.at(launch - 1).histogram;
  if (std::all_of(got.begin(), got.end(),
                  [&](double value) { return value == kernel.task.initial(); }))
    return updates_output(result, launch, kernel) ? Symptom::nothing_added
                                                  : Symptom::nothing_counted;
  bool only_last = result.block < result.binning.bins, more = false, fewer = false;
  double balance = 0;
  for (const Mismatch& each : result.mismatches) {
    if (each.launch != launch) break;
    only_last = only_last && each.bin >= result.block;
    more = more || each.got > each.expected;
    fewer = fewer || each.got < each.expected;
    balance += each.got - each.expected;
  }
  if (only_last && !more) return Symptom::last_bins;
  if (more && fewer) return balance == 0 ? std::optional{Symptom::other_bins} : std::nullopt;
  return more ? Symptom::too_many : Symptom::too_few;
}

// Returns the symptom that fits all of these wrong cases, or nullopt if none does. The same mistake
// may show different symptoms: a kernel that never adds its last run looks like "nothing was
// counted" if each thread reads one letter only.
std::optional<Symptom> common_symptom(const Cases& wrong, const KernelSpec& kernel) {
  const auto symptom = [&](const CaseResult* each) {
    return symptom_of(*each, each->mismatches.front().launch, kernel);
  };
  std::vector<Symptom> seen;
  for (const CaseResult* each : wrong) {
    const std::optional<Symptom> found = symptom(each);
    if (!found) return std::nullopt;
    seen.push_back(*found);
  }
  const auto all_are = [&](std::initializer_list<Symptom> some) {
    return std::ranges::all_of(
        seen, [&](Symptom each) { return std::ranges::find(some, each) != some.end(); });
  };
  if (all_are({seen.front()})) return seen.front();
  if (all_are({Symptom::nothing_counted, Symptom::nothing_added})) return Symptom::nothing_added;
  if (all_are(
          {Symptom::nothing_counted, Symptom::nothing_added, Symptom::last_bins, Symptom::too_few}))
    return Symptom::too_few;
  return std::nullopt;
}

// Returns the whole number by which every count of the launch is too high, or 0 if no number
// fits.
std::uint64_t factor_of_all(const CaseResult& result, std::uint32_t launch) {
  std::uint64_t factor = 0, wrong = 0;
  double expected = 0;
  for (const Mismatch& each : result.mismatches) {
    if (each.launch != launch) continue;
    if (each.expected < 1 || each.got != std::floor(each.got) ||
        std::fmod(each.got, each.expected) != 0)
      return 0;
    const auto times = static_cast<std::uint64_t>(each.got / each.expected);
    if (times < 2 || (factor != 0 && times != factor)) return 0;
    factor = times;
    expected += each.expected;
    ++wrong;
  }
  // A right bin must be an empty one. Otherwise its count would be too high as well.
  return wrong > 0 && expected == static_cast<double>(result.runs.at(launch - 1).updates_expected)
             ? factor
             : 0;
}

// A number of the launch. If each element is counted that often in all wrong cases, it explains
// them.
struct Repeater {
  std::string_view who;
  std::uint64_t (*number)(const CaseResult&);
};
constexpr std::array repeaters = {
    Repeater{"thread", [](const CaseResult& of) { return std::uint64_t{of.grid} * of.block; }},
    Repeater{"block", [](const CaseResult& of) { return std::uint64_t{of.grid}; }},
    Repeater{"thread of a block", [](const CaseResult& of) { return std::uint64_t{of.block}; }},
    Repeater{"thread with an element", [](const CaseResult& of) { return of.length; }}};

// Explains counts that are too high by the same factor in all wrong cases: each update runs twice,
// or adds 2.
bool explain_factor(const Cases& wrong, Outcome& outcome) {
  const auto factor = [](const CaseResult* each) {
    return factor_of_all(*each, each->mismatches.front().launch);
  };
  const std::uint64_t times = factor(wrong.front());
  if (times == 0 ||
      std::ranges::any_of(wrong, [&](const CaseResult* each) { return factor(each) != times; }))
    return false;
  outcome.seen.why = fmt::format("every count is {} times what it should be", times);
  outcome.seen.next =
      "Add 1 exactly once for each letter. Look for a second update of the bin, or for an added "
      "value above 1";
  return true;
}

// Explains counts that are too high by the number of threads, of blocks, or of threads that have an
// element: each of them does work that they should share. Returns false if no factor fits all
// cases.
bool explain_repetition(const Cases& wrong, Outcome& outcome) {
  const auto repeats = [&](const Repeater& repeater) {
    return std::ranges::all_of(wrong, [&](const CaseResult* each) {
      const std::uint64_t factor = factor_of_all(*each, each->mismatches.front().launch);
      return factor != 0 && factor == repeater.number(*each);
    });
  };
  const auto found = std::ranges::find_if(repeaters, repeats);
  const CaseResult& first = *wrong.front();
  if (found == repeaters.end()) return explain_factor(wrong, outcome);
  const std::uint64_t times = found->number(first);
  const bool reads_again =
      first.totals.global_load.lanes >= times * first.length * first.runs.size();
  outcome.symptom = Symptom::repeated;
  outcome.seen.why = fmt::format(
      "each element is counted {0} times, once per {1}: every {1} {2}", times, found->who,
      reads_again ? "counts the elements that all should share" : "adds what should be added once");
  outcome.seen.next = reads_again
                          ? "Give each element to one thread, for example by i = blockIdx.x * "
                            "blockDim.x + threadIdx.x"
                          : "Let one thread add each sum: distribute the bins over the threads";
  return true;
}

// Explains wrong counts by data that no thread reads. Other elements may be counted twice.
void explain_unread(const Cases& wrong, Outcome& outcome) {
  const auto leaves_data = [](const CaseResult* each) {
    return each->runs.at(each->mismatches.front().launch - 1).unread > 0;
  };
  const bool counts_some =
      outcome.symptom != Symptom::nothing_counted && outcome.symptom != Symptom::nothing_added;
  if (outcome.cause || !counts_some || !std::ranges::all_of(wrong, leaves_data)) return;
  const CaseResult& result = *wrong.front();
  const LaunchResult& run = result.runs.at(result.mismatches.front().launch - 1);
  if (!outcome.symptom || outcome.symptom == Symptom::other_bins)
    outcome.symptom = Symptom::too_few;
  outcome.seen.why = fmt::format("{} of {} of the data {} never read, the first at {}",
                                 grouped(run.unread), counted(input_bytes(result), "byte"),
                                 run.unread == 1 ? "was" : "were", run.first_unread);
}

// Reports the bin with the largest error.
Outcome wrong_counts(const Cases& wrong, const LabSpec& lab) {
  const CaseResult& result = *wrong.front();
  const auto off = [](const Mismatch& m) { return distance(m.expected, m.got); };
  const std::uint32_t launch = result.mismatches.front().launch;
  const Mismatch* worst = &result.mismatches.front();
  std::uint64_t in_same_launch = 0;
  for (const Mismatch& each : result.mismatches) {
    if (each.launch != launch) break;
    ++in_same_launch;
    if (off(each) > off(*worst)) worst = &each;
  }
  const reference::Task& task = lab.kernels.at(result.kernel).task;
  Seen seen{.where = described(result, launch),
            .what = describe(*worst, result, task) +
                    consequence(*worst, task,
                                has_race(result) && !lab.wants(kernels::FindingKind::data_race))};
  if (in_same_launch > 1)
    seen.what +=
        fmt::format("; {} of {} {} are wrong", in_same_launch, result.binning.bins, task.results());
  Outcome outcome = caused_by(first_fault(result, lab), std::move(seen));
  outcome.launch = launch;
  const bool repeats =
      task.quantity == reference::Quantity::count && explain_repetition(wrong, outcome);
  if (task.is_by_bin() && !repeats)
    outcome.symptom = common_symptom(wrong, lab.kernels.at(result.kernel));
  // A program's data is unread if the counts do not come from it.
  if (task.is_by_bin() && !repeats && !lab.program) explain_unread(wrong, outcome);
  return outcome;
}

// "3 of 4 cases fail"
std::string how_many(std::size_t wrong, std::size_t all, std::string_view one_does,
                     std::string_view several_do) {
  if (all <= 1) return {};
  return fmt::format("{} of {} cases {}", wrong, all, wrong == 1 ? one_does : several_do);
}

// Fails counts that are right although the kernel did not read all data.
Outcome unread_data(const LabSpec& lab, const CaseResult& result) {
  const auto run =
      std::ranges::find_if(result.runs, [](const LaunchResult& each) { return each.unread > 0; });
  const auto launch = static_cast<std::size_t>(run - result.runs.begin()) + 1;
  if (lab.program)
    return failed({.where = described(result, launch),
                   .what =
                       "the counts are right, but they do not come from a kernel: if the grader "
                       "changes its data, the program does not print the counts of those",
                   .next = "Launch the kernel on the whole data, and print the counts that you "
                           "copy back"});
  Outcome outcome =
      failed({.where = described(result, launch),
              .what = fmt::format(
                  "the counts are right, but {} of {} of the data {} never read, the first at {}",
                  grouped(run->unread), counted(input_bytes(result), "byte"),
                  run->unread == 1 ? "was" : "were", run->first_unread),
              .next = "Read each element and count it"});
  outcome.launch = launch;
  return outcome;
}

// Returns true if a kernel has right counts of data of which it left a large part unread. Such a
// kernel does not do the lab's task.
bool knows_without_reading(const Cases& cases) {
  return std::ranges::any_of(cases, [](const CaseResult* each) {
    const auto leaves_a_part = [&](const LaunchResult& run) {
      return run.unread > input_bytes(*each) / 16;
    };
    return each->correct && std::ranges::any_of(each->runs, leaves_a_part);
  });
}

std::string with_unit(double value, std::string_view unit) {
  if (unit.empty() || unit.find('/') != std::string_view::npos)
    // The title names the unit.
    return plain(value);
  const bool one = value == 1 && unit.ends_with('s');
  return fmt::format("{} {}", plain(value), one ? unit.substr(0, unit.size() - 1) : unit);
}

// Rounds a large limit: its fraction does not matter next to a large whole number.
std::string format_limit(double limit, double value, bool at_most) {
  if (value != std::floor(value) || limit < 100) return plain(limit);
  return plain(at_most ? std::floor(limit) : std::ceil(limit));
}

double value_of(const LaunchResult& run, std::string_view counter) {
  const auto found = std::ranges::find(run.counters, counter, &reference::CounterValue::name);
  return found == run.counters.end() ? 0 : found->value;
}

// Fails a kernel with right counts if one thread reads more than its limit: of the data, or of what
// other threads copied from the data. The limit grows if the busy threads of each block read the
// data several times, since a kernel may give each bin a thread that scans its block's data. A
// thread may also add up one counter per thread of its block, and one per warp of all blocks.
std::optional<Outcome> one_thread_reads(const Limit& limit, const Cases& cases) {
  for (const CaseResult* each : cases)
    for (std::size_t i = 0; i < each->runs.size(); ++i) {
      if (each->length == 0) continue;
      const LaunchResult& run = each->runs[i];
      constexpr double bytes_per_scan = 64, most_scans = 15, bytes_per_counter = 4;
      const double bytes = static_cast<double>(input_bytes(*each));
      const double scans =
          std::clamp(value_of(run, busy_threads_counter) / bytes - 1, 0.0, most_scans);
      const double most = limit.at(each->length, each->grid, each->block) + bytes_per_scan * scans;
      const double counters = bytes_per_counter * each->binning.bins;
      const double warps = (each->block + 31) / 32;
      struct Reads {
        std::string_view counter, what;
        double most;
      };
      const std::array all = {Reads{busiest_thread_counter, "the data", most},
                              Reads{copied_in_block_counter, "data that its block has copied",
                                    most + counters * each->block},
                              Reads{copied_in_grid_counter, "data that other blocks have copied",
                                    most + counters * warps * each->grid}};
      const auto exceeds = [&](const Reads& reads) {
        return value_of(run, reads.counter) > reads.most;
      };
      const auto found = std::ranges::find_if(all, exceeds);
      if (found == all.end()) continue;
      const double read = value_of(run, found->counter);
      const std::uint64_t threads = std::uint64_t{each->grid} * each->block;
      Outcome outcome = failed(
          {.where = described(*each, i + 1),
           .what = fmt::format(
               "the counts are right, but one thread reads {} of {}, at most {} allowed",
               with_unit(read, "bytes"), found->what, format_limit(found->most, read, true)),
           .why = fmt::format("{} should share the work", counted(threads, "thread")),
           .next = "Give each thread its own elements, for example by i = blockIdx.x * blockDim.x "
                   "+ threadIdx.x"});
      outcome.symptom = Symptom::not_shared;
      return outcome;
    }
  return std::nullopt;
}

// Fails counts that are wrong even if no other thread runs in between: the kernel itself omits
// updates.
std::optional<Outcome> wrong_one_by_one(const Cases& cases) {
  for (const CaseResult* each : cases) {
    if (!each->one_by_one || (each->one_by_one->completed && each->one_by_one->mismatches.empty()))
      continue;
    if (each->one_by_one->mismatches.empty())
      return failed({.where = described(*each),
                     .what = "does not end if the threads run one after the other",
                     .of_where = true});
    const Mismatch& wrong = each->one_by_one->mismatches.front();
    Outcome outcome =
        failed({.where = described(*each, wrong.launch),
                .what = fmt::format(
                    "expected {} in bin {}, got {}, although the threads ran one after the other",
                    plain(wrong.expected), wrong.bin, plain(wrong.got)),
                .why = "no race can lose an update then: the kernel omits it",
                .next = "Count every letter, whatever the length and the data"});
    outcome.symptom = wrong.got < wrong.expected ? Symptom::too_few : Symptom::too_many;
    return outcome;
  }
  return std::nullopt;
}

Outcome matches_reference(const LabSpec& lab, const CheckSpec& check, const Cases& cases,
                          const Cases& all) {
  const CaseResult* first = nullptr;
  std::size_t wrong = 0, skipped = 0;
  for (const CaseResult* each : cases) {
    if (each->is_right()) continue;
    ++(each->skipped.empty() ? wrong : skipped);
    if (first == nullptr) first = each;
  }
  if (first == nullptr) {
    const auto racy = std::ranges::find_if(
        cases, [&](const CaseResult* each) { return race_behind(*each, lab) != nullptr; });
    if (racy == cases.end()) {
      if (check.thread_reads)
        if (std::optional<Outcome> outcome = one_thread_reads(*check.thread_reads, cases))
          return *std::move(outcome);
      if (check.one_by_one)
        if (std::optional<Outcome> outcome = wrong_one_by_one(all)) return *std::move(outcome);
    }
    if (racy == cases.end())
      return passed({.what = fmt::format("right in {}", counted(cases.size(), "case"))});
    return caused_by(race_behind(**racy, lab),
                     {.where = described(**racy),
                      .what = "the counts are right, but by luck: a data race decides them"});
  }
  // The symptom must fit all wrong cases of the kernel whose counts are reported.
  Cases same_kernel;
  for (const CaseResult* each : cases)
    if (each->kernel == first->kernel && each->completed() && !each->mismatches.empty())
      same_kernel.push_back(each);
  const bool wrong_values = first->completed() && !first->mismatches.empty();
  Outcome outcome = first->correct ? unread_data(lab, *first)
                    : wrong_values ? wrong_counts(same_kernel, lab)
                                   : incomplete(*first);
  if (skipped == 0)
    outcome.seen.aside = how_many(wrong, cases.size(), "fails", "fail");
  else if (skipped < cases.size())
    outcome.seen.aside =
        fmt::format("{} not run after it", counted(skipped, "case was", "cases were"));
  return outcome;
}

Outcome no_findings(const CheckSpec& check, const Cases& cases) {
  std::vector<Finding> all_errors;
  for (const CaseResult* each : cases) {
    std::vector<Finding> errors;
    for (const Finding& finding : each->findings) {
      const bool excepted =
          std::find(check.except.begin(), check.except.end(), finding.kind) != check.except.end();
      if (finding.severity == Severity::error && !excepted) errors.push_back(finding);
    }
    merge_findings(all_errors, errors);
  }
  if (!all_errors.empty()) {
    const Finding& first = all_errors.front();
    // Merging keeps the clearest message. It need not come from the first case with the finding.
    const auto saw_it = [&](const CaseResult* each) {
      return std::any_of(each->findings.begin(), each->findings.end(), [&](const Finding& f) {
        return f.kind == first.kind && f.message == first.message;
      });
    };
    const CaseResult& where = **std::find_if(cases.begin(), cases.end(), saw_it);
    kernels::MessageParts parts = kernels::parts_of(first.message);
    Seen seen{.where = described(where),
              .what = fmt::format("{}: {}", kernels::name(first.kind), parts.what),
              .next = std::move(parts.next)};
    if (first.count > 1) seen.aside = counted(first.count, "time") + " in all cases";
    if (all_errors.size() > 1)
      seen.aside += fmt::format("{}{}", seen.aside.empty() ? "" : "; ",
                                counted(all_errors.size() - 1, "more finding"));
    Outcome outcome = caused_by(&first, std::move(seen));
    outcome.kind = first.kind;
    outcome.tells_cause = true;
    return outcome;
  }
  for (const CaseResult* each : cases)
    if (Outcome outcome = incomplete(*each); !outcome.passed) return outcome;
  return passed(
      {.what = fmt::format("nothing wrong was seen in {}", counted(cases.size(), "case"))});
}

// Returns true if races lose at least half of the updates. Fewer are lost if most updates are
// atomic.
bool loses_to_races(const CaseResult& result) {
  double expected = 0;
  for (const LaunchResult& run : result.runs) expected += static_cast<double>(run.updates_expected);
  return std::ranges::any_of(result.counters, [&](const auto& counter) {
    return counter.name == updates_lost_to_races_counter && counter.value > 0 &&
           2 * counter.value >= expected;
  });
}

// Returns true if the kernel omits letters on purpose: it counts exactly in the cases of the lab's
// exact kernel, but loses updates elsewhere even when the threads run one after the other.
bool is_loss_by_hand(const LabSpec& lab, const std::vector<CaseResult>& all) {
  const auto is_it = [&](const CheckSpec& check) {
    if (check.kind != CheckKind::matches_reference || !check.one_by_one) return false;
    const Cases named = cases_of(lab, check, all);
    const bool is_right =
        std::ranges::all_of(named, [](const CaseResult* each) { return each->correct; });
    return is_right && wrong_one_by_one(pointers_to(all)).has_value();
  };
  return std::ranges::any_of(lab.checks, is_it);
}

Outcome expects_finding(const LabSpec& lab, const CheckSpec& check, const Cases& cases,
                        const std::vector<CaseResult>& all) {
  const auto fits = [&](const Finding& finding) {
    return finding.kind == *check.finding &&
           (check.variable.empty() || finding.variable == check.variable);
  };
  const std::string what =
      check.variable.empty()
          ? std::string{kernels::name(*check.finding)}
          : fmt::format("{} on {}", kernels::name(*check.finding), check.variable);
  if (check.loses_updates && is_loss_by_hand(lab, all))
    return failed(
        {.what = fmt::format(
             "expected to see updates lost to a {}, but letters are missing even without one",
             what)});
  const CaseResult* without_loss = nullptr;
  for (const CaseResult* each : cases)
    for (const Finding& finding : each->findings)
      if (fits(finding) && check.loses_updates && !loses_to_races(*each))
        without_loss = each;
      else if (fits(finding))
        return passed({.what = fmt::format("{} shows it: {}", described(*each), finding.message)});
  for (const CaseResult* each : cases)
    if (!each->skipped.empty()) return incomplete(*each);
  if (without_loss != nullptr)
    return failed({.where = described(*without_loss),
                   .what = fmt::format(
                       "there is a {}, but fewer than half of the updates are lost to it", what)});
  return failed(
      {.what = fmt::format("expected to see {} in {}; there was none", what,
                           cases.size() == 1 ? described(*cases.front())
                                             : "one of " + counted(cases.size(), "case"))});
}

// Applies the limit to each launch of each case separately.
Outcome counter_limit(const CheckSpec& check, const Cases& cases) {
  const bool at_most = check.kind != CheckKind::counter_at_least;
  std::optional<Outcome> first;
  std::size_t wrong = 0;
  for (const CaseResult* each : cases) {
    if (Outcome outcome = incomplete(*each); !outcome.passed) return outcome;
    bool fits = true;
    for (std::size_t i = 0; i < each->runs.size(); ++i) {
      const auto& counters = each->runs[i].counters;
      const auto found = std::find_if(counters.begin(), counters.end(),
                                      [&](const auto& c) { return c.name == check.counter; });
      if (found == counters.end()) continue;
      const double limit = check.limit.at(each->length, each->grid, each->block);
      // Counters are sums of whole numbers; the tolerance is for limits such as 0.1 * length.
      // mutant 9 -> 10: both values are far above rounding errors of a double and far below one
      const double slack = 1e-9 * (1 + limit);
      if (at_most ? found->value <= limit + slack : found->value >= limit - slack) continue;
      fits = false;
      if (first) continue;
      first =
          failed({.where = described(*each, i + 1),
                  .what = fmt::format(
                      "{}: {}, {} {} {}", found->title, with_unit(found->value, found->unit),
                      at_most ? "at most" : "at least", format_limit(limit, found->value, at_most),
                      at_most ? "allowed" : "required")});
      first->about = each->id;
      first->launch = i + 1;
    }
    if (!fits) ++wrong;
  }
  if (!first)
    return passed({.what = fmt::format("within the limit in {}", counted(cases.size(), "case"))});
  first->seen.aside =
      at_most ? how_many(wrong, cases.size(), "is above the limit", "are above the limit")
              : how_many(wrong, cases.size(), "has too few", "have too few");
  return *std::move(first);
}

// Requires a guarantee: each index must be known at compile time. nvcc may keep a small array in
// registers even if its index is read from memory (ptxas 13.0: up to about twenty words, fewer for
// some types). This check fails such an index anyway, so the verdict is the same with and without a
// CUDA toolkit.
Outcome registers_only(const LocalMemory& local) {
  const std::string bytes =
      local.bytes ? fmt::format("{} of local memory per thread", counted(*local.bytes, "byte"))
                  : std::string{};
  if (!local.indexed.empty()) {
    const kernels::IndexedArray& first = local.indexed.front();
    Seen seen{
        .what = fmt::format(
            "{} is accessed with an index or address that is unknown at compile time", first.name),
        .why =
            "registers have no addresses, so such an array is in local memory, which is device "
            "memory"};
    if (local.bytes)
      seen.why += *local.bytes > 0 ? fmt::format("; the GPU's compiler uses {}", bytes)
                                   : "; this time the GPU's compiler avoids it by comparing the "
                                     "index with that of each element";
    return failed(std::move(seen), first.line);
  }
  if (local.bytes && *local.bytes > 0)
    return failed(
        {.what = fmt::format("the GPU's compiler uses {}, which is device memory, not registers",
                             bytes)});
  return passed({.what = local.bytes ? "the GPU's compiler needs no local memory"
                                     : "every index of a local array is known at compile time"});
}

// Adds what the GPU observed. A wrong result there fails the check. If the emulator already has a
// finding, the GPU's results are shown as evidence.
void add_gpu(const LabSpec& lab, const CheckSpec& check, const std::vector<TimedCaseResult>& timed,
             Outcome& outcome) {
  const bool about_findings = check.kind == CheckKind::no_findings;
  if (!about_findings && check.kind != CheckKind::matches_reference) return;
  if (outcome.passed) {
    std::optional<Outcome> wrong = first_timed_failure(lab, check, timed);
    const bool races = wrong && wrong->kind == kernels::FindingKind::data_race &&
                       !lab.wants(kernels::FindingKind::data_race);
    if (wrong && (races || wrong->kind.has_value() == about_findings)) outcome = std::move(*wrong);
  }
  if (!outcome.passed && about_findings && outcome.kind) outcome.seen.why = gpu_evidence(timed);
}

// Returns true if the data have elements to count and the kernel counted none. Such a kernel gets
// no points for what it does not do.
bool counted_nothing(const LabSpec& lab, const Cases& cases) {
  bool something_to_count = false;
  for (const CaseResult* each : cases) {
    const double initial = lab.kernels.at(each->kernel).task.initial();
    for (const LaunchResult& run : each->runs) {
      something_to_count |= run.updates_expected > 0;
      if (std::any_of(run.histogram.begin(), run.histogram.end(),
                      [&](double value) { return value != initial; }))
        return false;
    }
  }
  return something_to_count;
}

// Returns true for checks of technique. They earn points only if the counts are right.
bool is_about_technique(CheckKind kind) {
  return group_of(kind) == CheckGroup::counters || group_of(kind) == CheckGroup::times;
}

// Returns the first failing check of this kind that covers one of the same kernels, or null
// without one.
const CheckSpec* failing_condition(const LabSpec& lab, const CheckSpec& check, CheckKind kind,
                                   const std::vector<CaseResult>& cases,
                                   const LocalMemory& local = {}) {
  const auto is_of_check = [&](std::size_t kernel) {
    return std::ranges::any_of(check.cases,
                               [&](std::size_t i) { return lab.cases[i].kernel == kernel; }) ||
           std::ranges::any_of(check.timed,
                               [&](std::size_t i) { return lab.timed[i].kernel == kernel; });
  };
  const auto fails = [&](const CheckSpec& other) {
    return other.kind == kind &&
           std::ranges::any_of(other.cases,
                               [&](std::size_t i) { return is_of_check(lab.cases[i].kernel); }) &&
           judge_check(lab, other, cases, {}, local).status == CheckResult::Status::failed;
  };
  const auto failing = std::ranges::find_if(lab.checks, fails);
  return failing == lab.checks.end() ? nullptr : &*failing;
}

struct Hint {
  std::string text;
  bool fits = false;
};

// Returns true if the finding's own advice fixes this very code. Then it is shown instead of the
// lab's general hint. The phrases come from kernels/emulator/messages.
bool has_specific_fix(const Finding& finding) {
  constexpr std::array general = {"Read it in another launch"};
  constexpr std::array exact = {"The index is below zero",
                                "An index this large is an unsigned value",
                                "Let one thread free it",
                                "Free the pointer that malloc or new returned",
                                "Free only memory that the kernel",
                                "Use it before you free it",
                                "Put data that threads share into __shared__",
                                "Allocated memory holds",
                                "elements. Set all",
                                ": let one thread set",
                                "Check what the pointer is computed from"};
  const auto says = [&](const char* words) {
    return finding.message.find(words) != std::string::npos;
  };
  if (kernels::parts_of(finding.message).next.empty()) return false;
  if (finding.kind == kernels::FindingKind::data_race) return std::ranges::none_of(general, says);
  return std::ranges::any_of(exact, says);
}

Hint hint_for(const CheckSpec& check, const Outcome& outcome) {
  if (outcome.cause && kernels::waits_for_another_block(*outcome.cause))
    // The lab's hints are about locks.
    return {check.hint, false};
  if (outcome.cause && has_specific_fix(*outcome.cause))
    return {kernels::parts_of(outcome.cause->message).next, true};
  const std::string_view key = outcome.kind      ? kernels::name(*outcome.kind)
                               : outcome.symptom ? name(*outcome.symptom)
                                                 : std::string_view{};
  for (const auto& [of, text] : check.hints)
    if (of == key) return {text, true};
  const bool meant = (outcome.kind && std::find(check.hint_for.begin(), check.hint_for.end(),
                                                *outcome.kind) != check.hint_for.end());
  return meant || check.hint_for.empty() ? Hint{check.hint, meant} : Hint{};
}

}  // namespace

CheckResult judge_check(const LabSpec& lab, const CheckSpec& check,
                        const std::vector<CaseResult>& cases,
                        const std::vector<TimedCaseResult>& timed, const LocalMemory& local) {
  const Cases named = cases_of(lab, check, cases);
  if (is_about_technique(check.kind) &&
      failing_condition(lab, check, CheckKind::matches_reference, cases) != nullptr)
    return unjudged(check, {{.what = "is judged when the counts are right"}});
  Outcome outcome;
  switch (check.kind) {
    case CheckKind::matches_reference:
      outcome = matches_reference(lab, check, named, pointers_to(cases));
      break;
    case CheckKind::no_findings: outcome = no_findings(check, named); break;
    case CheckKind::expects_finding: outcome = expects_finding(lab, check, named, cases); break;
    case CheckKind::counter_at_least:
    case CheckKind::counter_at_most: outcome = counter_limit(check, named); break;
    case CheckKind::registers_only:
      outcome = registers_only(local);
      if (outcome.passed && !check.counter.empty())
        if (Outcome in_memory = counter_limit(check, named); !in_memory.passed)
          outcome = std::move(in_memory);
      break;
    case CheckKind::within_of_solution:
    case CheckKind::speedup_over:
    case CheckKind::share_of_read_limit: outcome = judge_time(lab, check, timed); break;
    // Judged by quiz_check.h: launches do not matter for it.
    case CheckKind::quiz: break;
  }
  add_gpu(lab, check, timed, outcome);
  if (outcome.passed && counted_nothing(lab, named))
    return unjudged(
        check,
        {{.what = fmt::format("the kernel counted nothing in {}, so there is nothing to judge yet",
                              counted(named.size(), "case"))}});
  if (outcome.passed && knows_without_reading(named))
    return unjudged(
        check, {{.what = "the counts do not come from the data, so there is nothing to judge"}});
  // A kernel without the required technique gets no points for other checks that it passes by
  // omission.
  if (outcome.passed && is_about_technique(check.kind) && check.kind != CheckKind::counter_at_least)
    if (const CheckSpec* first = failing_condition(lab, check, CheckKind::counter_at_least, cases))
      return unjudged(check, {{.what = fmt::format("is judged when {} passes", first->id)}});
  // The time model does not charge for every local array.
  const bool is_modelled =
      !check.timed.empty() && !std::ranges::all_of(timed, &TimedCaseResult::measured);
  if (outcome.passed && is_modelled)
    if (const CheckSpec* first =
            failing_condition(lab, check, CheckKind::registers_only, cases, local))
      return unjudged(
          check, {{.what = fmt::format("a modelled time is judged when {} passes", first->id)}});
  CheckResult result = unjudged(check, outcome);
  // A skipped case counts against the check of its results only.
  if (outcome.was_not_run && check.kind != CheckKind::matches_reference) return result;
  result.status = outcome.passed ? CheckResult::Status::passed : CheckResult::Status::failed;
  if (outcome.passed) {
    result.score = check.points;
  } else {
    Hint hint = hint_for(check, outcome);
    result.hint = std::move(hint.text);
    result.hint_fits = hint.fits;
  }
  return result;
}

}  // namespace histolab::grader
