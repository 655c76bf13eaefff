// The exact messages of each kind of check. They are the first thing that a student reads.
#include "grader/checks/checks.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "grader/testing/sample.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::Finding;
using kernels::FindingKind;
using kernels::Severity;

// A result with seven bins, all of them filled in each launch.
CaseResult right(const std::string& id, std::uint32_t launches = 1) {
  CaseResult result;
  result.id = id;
  result.dataset = "mixed";
  result.length = 4000;
  result.grid = 16;
  result.launches = launches;
  for (std::uint32_t i = 0; i < launches; ++i)
    result.runs.push_back({{100, 200, 300, 400, 500, 600, 700}, 2800, {}});
  result.correct = true;
  return result;
}

// The same with wrong counts: each mismatch gives a launch, a bin and the count that it got.
CaseResult wrong(const std::string& id, const std::vector<Mismatch>& mismatches,
                 std::uint32_t launches = 1) {
  CaseResult result = right(id, launches);
  result.correct = false;
  result.mismatches = mismatches;
  for (const Mismatch& each : mismatches)
    result.runs[each.launch - 1].histogram[each.bin] = each.got;
  return result;
}

CaseResult ended(const std::string& id, Ending ending, std::string detail) {
  CaseResult result = right(id);
  result.correct = false;
  result.ending = ending;
  result.ending_detail = std::move(detail);
  result.runs.clear();
  return result;
}

Finding found(FindingKind kind, int line, std::string message,
              Severity severity = Severity::error) {
  Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.message = std::move(message);
  finding.severity = severity;
  return finding;
}

struct Rubric {
  LabSpec lab = testing::sample_lab();
  CheckSpec check;

  // Covers all three cases.
  explicit Rubric(CheckKind kind) {
    check.id = "the-check";
    check.title = "a title";
    check.kind = kind;
    check.points = 4;
    check.hint = "Think.";
    check.cases = {0, 1, 2};
  }
  CheckResult judge(const std::vector<CaseResult>& cases,
                    const std::vector<TimedCaseResult>& timed = {},
                    const LocalMemory& local = {}) const {
    return judge_check(lab, check, cases, timed, local);
  }
};

CaseResult unread(const std::string& id, std::uint64_t bytes, std::uint64_t first,
                  std::uint32_t launches = 1) {
  CaseResult result = right(id, launches);
  result.runs.back().unread = bytes;
  result.runs.back().first_unread = first;
  return result;
}

TEST_CASE("matches_reference: fails right counts if some data were never read") {
  const Rubric rubric(CheckKind::matches_reference);
  const CheckResult one =
      rubric.judge({right("empty"), unread("letters-256", 1, 3999), right("twice-32", 2)});
  CHECK(one.status == CheckResult::Status::failed);
  CHECK(one.score == 0);
  CHECK(one.seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256): the counts are right, but 1 "
        "of 4 000 bytes of the data was never read, the first at 3999 (1 of 3 cases fails). "
        "Read each element and count it");
  const CheckResult many =
      rubric.judge({right("empty"), right("letters-256"), unread("twice-32", 3000, 8, 2)});
  CHECK(
      many.seen.what ==
      "the counts are right, but 3 000 of 4 000 bytes of the data were never read, the first at 8");
  CHECK(many.seen.where.ends_with("launch 2 of 2"));
  // Wrong counts are reported instead.
  CaseResult both = wrong("letters-256", {{1, 2, 300, 150}});
  both.runs.back().unread = 7;
  CHECK(rubric.judge({right("empty"), both, right("twice-32", 2)})
            .seen.what.starts_with("expected 300 in bin 2"));
}

TEST_CASE("a kernel that knows its results without reading the data earns nothing") {
  for (const CheckKind kind : {CheckKind::no_findings, CheckKind::counter_at_most}) {
    Rubric rubric(kind);
    rubric.check.counter = "histolab__global_atomic_updates.sum";
    rubric.check.limit.constant = 1e9;
    const auto status = [&](const CaseResult& result) {
      return rubric.judge({right("empty"), result, right("twice-32", 2)}).status;
    };
    CHECK(status(right("letters-256")) == CheckResult::Status::passed);
    // Technique is judged only if the counts are right. A single unread byte may be a mistake.
    const CheckResult::Status otherwise =
        kind == CheckKind::no_findings ? CheckResult::Status::passed : CheckResult::Status::not_run;
    CHECK(status(unread("letters-256", 1, 7)) == otherwise);
    CHECK(status(unread("letters-256", 3992, 8)) == CheckResult::Status::not_run);
    CaseResult unknowing = wrong("letters-256", {{1, 2, 300, 150}});
    unknowing.runs.back().unread = 3992;
    CHECK(status(unknowing) == otherwise);
  }
}

TEST_CASE("matches_reference: gives all points or none, and keeps id and title of the check") {
  const Rubric rubric(CheckKind::matches_reference);
  const CheckResult passed =
      rubric.judge({right("empty"), right("letters-256"), right("twice-32", 2)});
  CHECK(passed.id == "the-check");
  CHECK(passed.title == "a title");
  CHECK(passed.status == CheckResult::Status::passed);
  CHECK(passed.score == 4);
  CHECK(passed.max_score == 4);
  CHECK(passed.seen.sentence() == "right in 3 cases");
  CHECK(passed.hint.empty());
  CHECK(passed.line == 0);
  CHECK_FALSE(passed.cause);

  const CheckResult failed = rubric.judge(
      {right("empty"), wrong("letters-256", {{1, 2, 300, 150}}), right("twice-32", 2)});
  CHECK(failed.status == CheckResult::Status::failed);
  CHECK(failed.score == 0);
  CHECK(failed.max_score == 4);
  CHECK(failed.seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256): expected 300 in bin 2 (i-l), "
        "got 150: 50 % are missing (1 of 3 cases fails)");
  CHECK(failed.hint == "Think.");
}

TEST_CASE("matches_reference: judges only the cases that it names") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.cases = {1};
  CHECK(rubric
            .judge({wrong("empty", {{1, 0, 100, 1}}), right("letters-256"),
                    wrong("twice-32", {{1, 0, 100, 1}}, 2)})
            .seen.sentence() == "right in 1 case");
  const CheckResult failed =
      rubric.judge({right("empty"), wrong("letters-256", {{1, 0, 100, 50}}), right("twice-32", 2)});
  CHECK(failed.seen.sentence().ends_with(
      // A single case is not counted: "1 of 1 cases".
      "got 50: 50 % are missing"));
}

TEST_CASE("matches_reference: reports the bin with the largest error in the first wrong launch") {
  const Rubric rubric(CheckKind::matches_reference);
  const std::string message =
      rubric
          .judge({right("empty"), right("letters-256"),
                  wrong("twice-32",
                        {{1, 1, 200, 190}, {1, 4, 500, 400}, {1, 6, 700, 650}, {2, 0, 100, 0}}, 2)})
          .seen.sentence();
  CHECK(message ==
        "case twice-32 (mixed, 4 000 bytes, grid 16 x block 256), launch 1 of 2: expected 500 in "
        "bin 4 (q-t), got 400: 20 % are missing; 3 of 7 bins are wrong (1 of 3 cases fails)");
  const std::string second =
      rubric.judge({wrong("twice-32", {{2, 0, 100, 90}}, 2)}).seen.sentence();
  CHECK(second ==
        "case twice-32 (mixed, 4 000 bytes, grid 16 x block 256), launch 2 of 2: expected 100 in "
        "bin 0 (a-d), got 90: 10 % are missing");
}

TEST_CASE("matches_reference: the cause is the first error that the lab does not ask for") {
  Rubric rubric(CheckKind::matches_reference);
  CaseResult racy = wrong("letters-256", {{1, 0, 100, 25}});
  racy.findings = {found(FindingKind::misaligned_access, 4, "a note", Severity::note),
                   found(FindingKind::data_race, 9, "two threads update it"),
                   found(FindingKind::out_of_bounds, 11, "behind its end")};
  const CheckResult result = rubric.judge({racy});
  REQUIRE(result.cause);
  CHECK(result.cause->kind == FindingKind::data_race);
  CHECK(result.line == 9);
  CHECK(result.seen.sentence().ends_with("got 25: 75 % of the updates are lost"));
  CheckSpec shows;
  shows.kind = CheckKind::expects_finding;
  shows.finding = FindingKind::data_race;
  rubric.lab.checks.push_back(shows);
  const CheckResult wanted = rubric.judge({racy});
  CHECK(wanted.line == 11);
  CHECK(wanted.seen.sentence().ends_with("got 25: 75 % are missing"));
}

TEST_CASE("matches_reference: right counts earn nothing if they depend on a data race") {
  Rubric rubric(CheckKind::matches_reference);
  CaseResult racy = right("letters-256");
  racy.findings = {found(FindingKind::out_of_bounds, 2, "behind its end"),
                   found(FindingKind::data_race, 9, "two threads update it. Use atomicAdd")};
  const CheckResult result = rubric.judge({right("empty"), racy, right("twice-32", 2)});
  CHECK(result.status == CheckResult::Status::failed);
  CHECK(result.score == 0);
  CHECK(result.line == 9);
  REQUIRE(result.cause);
  CHECK(result.cause->kind == FindingKind::data_race);
  CHECK(result.seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256): the counts are right, but by "
        "luck: a data race decides them");
  rubric.check.cases = {0, 2};
  CHECK(rubric.judge({right("empty"), racy, right("twice-32", 2)}).score ==
        // The check does not cover the racy case.
        4);
  rubric.check.cases = {0, 1, 2};
  // Several threads write the same value.
  racy.findings[1].severity = Severity::note;
  CHECK(rubric.judge({right("empty"), racy, right("twice-32", 2)}).score == 4);
  racy.findings[1].severity = Severity::error;
  CheckSpec shows;
  shows.kind = CheckKind::expects_finding;
  shows.finding = FindingKind::data_race;
  rubric.lab.checks.push_back(shows);
  CHECK(rubric.judge({right("empty"), racy, right("twice-32", 2)}).score == 4);
}

TEST_CASE("matches_reference: updates that add 0 are a different mistake from no updates") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.hints = {{"nothing_counted", "none"}, {"nothing_added", "zeroes"}};
  CaseResult nothing = wrong("letters-256", {{1, 0, 100, 0}});
  nothing.runs[0].histogram.assign(7, 0);
  CHECK(rubric.judge({nothing}).hint == "none");
  nothing.pressure = {{"mine", true, 4, 9, 1, 0, {}}, {"histo", false, 4, 0, 0, 0, {}}};
  CHECK(rubric.judge({nothing}).hint == "none");
  nothing.pressure[1].updates = 7;
  CHECK(rubric.judge({nothing}).hint == "zeroes");
}

TEST_CASE("counts too high by the number of threads, blocks or elements are explained") {
  const Rubric rubric(CheckKind::matches_reference);
  const auto why = [&](double times) {
    CaseResult result = right("letters-256");
    result.length = 31;
    result.grid = 8;
    result.block = 4;
    result.correct = false;
    result.runs = {{{10 * times, 21 * times}, 31, {}}};
    result.mismatches = {{1, 0, 10, 10 * times}, {1, 1, 21, 21 * times}};
    result.totals.global_load.lanes = static_cast<std::uint64_t>(31 * times);
    return rubric.judge({result}).seen.why;
  };
  CHECK(
      why(32).ends_with("once per thread: every thread counts the elements that all should share"));
  CHECK(why(8).ends_with("once per block: every block counts the elements that all should share"));
  CHECK(
      why(4).ends_with("once per thread of a block: every thread of a block counts the elements "
                       "that all should share"));
  CHECK(
      why(31).ends_with("once per thread with an element: every thread with an element counts the "
                        "elements that all should share"));
  CHECK(why(5) == "every count is 5 times what it should be");
  CHECK(why(1.5).empty());
}

TEST_CASE("the hint for wrong counts fits all wrong cases") {
  Rubric rubric(CheckKind::matches_reference);
  for (const char* symptom :
       {"nothing_counted", "nothing_added", "last_bins", "too_few", "too_many", "other_bins"})
    rubric.check.hints.emplace_back(symptom, symptom);
  rubric.check.cases = {0, 1};
  const auto hint = [&](std::vector<double> first, std::vector<double> second) {
    const auto counts = [](const char* id, const std::vector<double>& got) {
      std::vector<Mismatch> mismatches;
      for (std::uint32_t bin = 0; bin < got.size(); ++bin)
        if (got[bin] != 10) mismatches.push_back({1, bin, 10, got[bin]});
      CaseResult result = wrong(id, mismatches);
      result.runs[0].histogram = got;
      return result;
    };
    return rubric.judge({counts("empty", first), counts("letters-256", second)}).hint;
  };
  CHECK(hint({0, 0}, {0, 0}) == "nothing_counted");
  CHECK(hint({0, 0}, {10, 3}) == "too_few");
  CHECK(hint({10, 3}, {0, 0}) == "too_few");
  CHECK(hint({11, 10}, {10, 13}) == "too_many");
  CHECK(hint({11, 9}, {7, 13}) == "other_bins");
  CHECK(hint({0, 0}, {10, 13}) == "Think.");
  CHECK(hint({11, 10}, {10, 3}) == "Think.");
  CHECK(hint({11, 9}, {10, 3}) == "Think.");
}

TEST_CASE("the factor must match the launch in every wrong case") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.hints = {{"repeated", "share"}, {"too_many", "fewer"}};
  rubric.check.cases = {0, 1};
  const auto times = [](const char* id, double factor, std::uint32_t grid, std::uint32_t block) {
    CaseResult result = wrong(id, {{1, 0, 10, 10 * factor}});
    result.grid = grid;
    result.block = block;
    result.runs = {{{10 * factor}, 10, {}}};
    return result;
  };
  CHECK(rubric.judge({times("empty", 32, 1, 32), times("letters-256", 16, 4, 4)}).hint == "share");
  CHECK(rubric.judge({times("empty", 32, 1, 32), times("letters-256", 2, 4, 4)}).hint == "fewer");
  // With one block, threads per launch and threads per block are the same number. The other case
  // decides.
  const CheckResult per_block =
      rubric.judge({times("empty", 32, 1, 32), times("letters-256", 4, 8, 4)});
  CHECK(per_block.seen.why.find("once per thread of a block") != std::string::npos);
}

TEST_CASE("counts too low because of unread data say how much was not read") {
  Rubric rubric(CheckKind::matches_reference);
  CaseResult fewer = wrong("letters-256", {{1, 2, 300, 150}});
  fewer.runs[0].unread = 25;
  fewer.runs[0].first_unread = 3975;
  CHECK(rubric.judge({fewer}).seen.why ==
        "25 of 4 000 bytes of the data were never read, the first at 3975");
  CaseResult mixed = wrong("empty", {{1, 1, 10, 20}, {1, 2, 30, 5}});
  mixed.length = 40;
  mixed.runs[0].unread = 15;
  rubric.check.cases = {0, 1};
  rubric.check.hints = {{"too_few", "who reads it?"}};
  CHECK(rubric.judge({mixed, fewer}).seen.why ==
        "15 of 40 bytes of the data were never read, the first at 0");
  CHECK(rubric.judge({mixed, fewer}).hint == "who reads it?");
  fewer.runs[0].unread = 0;
  CHECK(rubric.judge({mixed, fewer}).seen.why.empty());
  CHECK(rubric.judge({mixed, fewer}).hint == "Think.");
}

TEST_CASE("a race shows the advice of its own finding instead of the lab's general hint") {
  Rubric rubric(CheckKind::no_findings);
  rubric.check.hints = {{"data_race", "Use atomicAdd."}};
  CaseResult racy = right("letters-256");
  racy.findings = {found(
      FindingKind::data_race, 5,
      "one adds; both are atomic, but nothing orders the two, so counts are lost. Put a barrier")};
  CHECK(rubric.judge({racy}).hint == "Put a barrier");
  racy.findings = {found(FindingKind::data_race, 5,
                         "it reads while the other updates. Put __syncthreads() between them")};
  CHECK(rubric.judge({racy}).hint == "Put __syncthreads() between them");
  racy.findings = {
      found(FindingKind::data_race, 5, "no barrier spans two blocks. Read it in another launch")};
  CHECK(rubric.judge({racy}).hint == "Use atomicAdd.");  // the finding knows what the lab asks for
}

TEST_CASE("waiting for another block shows the emulator's advice instead of the hint about locks") {
  Rubric rubric(CheckKind::no_findings);
  rubric.check.hints = {{"deadlock", "Give the lock back."}};
  CaseResult stuck = right("letters-256");
  stuck.findings = {found(FindingKind::deadlock, 5, "it waits. Do not")};
  CHECK(rubric.judge({stuck}).hint_fits);
  stuck.findings[0].thread = kernels::ThreadId{{0, 0, 0}, {0, 0, 0}};
  stuck.findings[0].other_thread = kernels::ThreadId{{1, 0, 0}, {0, 0, 0}};
  CHECK_FALSE(rubric.judge({stuck}).hint_fits);
}

TEST_CASE("a case without a result reports why, with the last error") {
  const Rubric rubric(CheckKind::matches_reference);
  CaseResult stopped = ended("letters-256", Ending::stopped, "the step limit");
  stopped.findings = {found(FindingKind::data_race, 3, "two threads update it"),
                      found(FindingKind::step_limit, 7, "this loop never ends"),
                      found(FindingKind::misaligned_access, 8, "a note", Severity::note)};
  const CheckResult result = rubric.judge({stopped});
  CHECK(result.seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256) was stopped: this loop never "
        "ends");
  CHECK(result.line == 7);
  CHECK(rubric.judge({ended("empty", Ending::stopped, "the step limit")}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256) was stopped: the step limit");
  CHECK(rubric.judge({ended("empty", Ending::timed_out, "")}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256) took too long");
  CHECK(rubric.judge({ended("empty", Ending::timed_out, "2 s are over")}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256) took too long: 2 s are over");
  CHECK(rubric.judge({ended("empty", Ending::crashed, "")}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256) crashed");
  CHECK(rubric.judge({ended("empty", Ending::crashed, "signal 11")}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256) crashed: signal 11");
  CaseResult skipped = right("empty");
  skipped.correct = false;
  skipped.skipped = "another one never ended";
  CHECK(
      rubric.judge({skipped}).seen.sentence() ==
      "case empty (mixed, 4 000 bytes, grid 16 x block 256) was not run: another one never ended");
}

TEST_CASE("cases that were skipped are mentioned after the failure") {
  const Rubric rubric(CheckKind::matches_reference);
  CaseResult skipped = right("twice-32", 2);
  skipped.correct = false;
  skipped.skipped = "an earlier case never ended";
  CaseResult other = skipped;
  other.id = "letters-256";
  CHECK(rubric.judge({ended("empty", Ending::timed_out, ""), skipped})
            .seen.sentence()
            .ends_with(" took too long (1 case was not run after it)"));
  CHECK(rubric.judge({ended("empty", Ending::timed_out, ""), other, skipped})
            .seen.sentence()
            .ends_with(" took too long (2 cases were not run after it)"));
  CHECK(rubric.judge({other, skipped})
            .seen.sentence()
            .ends_with(" was not run: an earlier case never ended"));
}

TEST_CASE("no_findings: reports the first error, its case, its count and how many more there are") {
  const Rubric rubric(CheckKind::no_findings);
  CHECK(rubric.judge({right("empty"), right("letters-256")}).seen.sentence() ==
        "nothing wrong was seen in 2 cases");
  CaseResult one = right("empty"), two = right("letters-256");
  one.findings = {found(FindingKind::misaligned_access, 3, "a note", Severity::note)};
  CHECK(rubric.judge({one, two}).status == CheckResult::Status::passed);
  two.findings = {found(FindingKind::out_of_bounds, 5, "behind the end of histo")};
  const CheckResult single = rubric.judge({one, two});
  CHECK(single.status == CheckResult::Status::failed);
  CHECK(single.seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256): out_of_bounds: behind the end "
        "of histo");
  CHECK(single.line == 5);
  REQUIRE(single.cause);
  CHECK(single.cause->kind == FindingKind::out_of_bounds);
  one.findings = two.findings;
  one.findings.push_back(found(FindingKind::data_race, 9, "two threads update it"));
  CHECK(rubric.judge({one, two}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256): out_of_bounds: behind the end of "
        "histo (2 times in all cases; 1 more finding)");
}

TEST_CASE("no_findings: ignores excepted kinds, and fails if a case did not complete") {
  Rubric rubric(CheckKind::no_findings);
  CaseResult racy = right("empty");
  racy.findings = {found(FindingKind::data_race, 9, "two threads update it")};
  CHECK(rubric.judge({racy}).status == CheckResult::Status::failed);
  rubric.check.except = {FindingKind::data_race};
  CHECK(rubric.judge({racy}).status == CheckResult::Status::passed);
  CHECK(rubric.judge({racy, ended("letters-256", Ending::crashed, "signal 8")}).seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256) crashed: signal 8");
}

TEST_CASE("expects_finding: passes if one case shows the finding, else names what was expected") {
  Rubric rubric(CheckKind::expects_finding);
  rubric.check.finding = FindingKind::data_race;
  CaseResult racy = right("letters-256");
  racy.findings = {found(FindingKind::out_of_bounds, 5, "behind the end"),
                   found(FindingKind::data_race, 9, "two threads update it")};
  racy.findings[1].variable = "histo";
  const CheckResult shown = rubric.judge({right("empty"), racy});
  CHECK(shown.status == CheckResult::Status::passed);
  CHECK(
      shown.seen.sentence() ==
      "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256) shows it: two threads update it");
  const CheckResult none = rubric.judge({right("empty"), right("twice-32", 2)});
  CHECK(none.status == CheckResult::Status::failed);
  CHECK(none.seen.sentence() == "expected to see data_race in one of 2 cases; there was none");
  CHECK(none.line == 0);
  CHECK(rubric.judge({right("empty")}).seen.sentence() ==
        "expected to see data_race in case empty (mixed, 4 000 bytes, grid 16 x block 256); there "
        "was none");
  rubric.check.variable = "private_histo";
  CHECK(rubric.judge({right("empty"), racy}).seen.sentence() ==
        "expected to see data_race on private_histo in one of 2 cases; there was none");
  rubric.check.variable = "histo";
  CHECK(rubric.judge({right("empty"), racy}).status == CheckResult::Status::passed);
}

struct Limited : Rubric {
  explicit Limited(CheckKind kind, Limit limit) : Rubric(kind) {
    check.counter = "requests";
    check.limit = limit;
  }
  static CaseResult of(const std::string& id, std::initializer_list<double> values,
                       std::string_view unit = "requests") {
    CaseResult result = right(id, static_cast<std::uint32_t>(values.size()));
    std::size_t launch = 0;
    for (const double value : values)
      result.runs[launch++].counters = {{"other", "another", "requests", 1e9},
                                        {"requests", "global load requests", unit, value}};
    return result;
  }
};

TEST_CASE("counter limits apply to each launch, and the limit itself is allowed") {
  const Limited most(CheckKind::counter_at_most, {.constant = 10}),
      least(CheckKind::counter_at_least, {.constant = 10});
  CHECK(most.judge({most.of("empty", {10})}).seen.sentence() == "within the limit in 1 case");
  CHECK(most.judge({most.of("empty", {10.001})}).status == CheckResult::Status::failed);
  CHECK(least.judge({least.of("empty", {10})}).status == CheckResult::Status::passed);
  CHECK(least.judge({least.of("empty", {9.999})}).status == CheckResult::Status::failed);
  const CheckResult over = most.judge({most.of("empty", {10}), most.of("twice-32", {3, 12})});
  CHECK(over.seen.sentence() ==
        "case twice-32 (mixed, 4 000 bytes, grid 16 x block 256), launch 2 of 2: global load "
        "requests: 12 requests, at most 10 allowed (1 of 2 cases is above the limit)");
  CHECK(over.about == "twice-32");
  CHECK(over.launch == 2);
  const CheckResult both = most.judge({most.of("empty", {11}), most.of("twice-32", {13, 12})});
  CHECK(both.seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256): global load requests: 11 requests, "
        "at most 10 allowed (2 of 2 cases are above the limit)");
  CHECK(least.judge({least.of("empty", {1})}).seen.sentence() ==
        "case empty (mixed, 4 000 bytes, grid 16 x block 256): global load requests: 1 request, at "
        "least 10 required");
  Limited alone = most;
  // No other check has to pass first.
  alone.lab.checks.clear();
  CHECK(alone.judge({ended("empty", Ending::crashed, "")}).seen.sentence().ends_with(" crashed"));
}

TEST_CASE("a limit depends on the launch, and numbers are shown rounded and with their unit") {
  const Limited by_element(CheckKind::counter_at_most, {.per_element = 0.25}),
      by_thread(CheckKind::counter_at_most, {.per_thread = 1}),
      by_block(CheckKind::counter_at_least, {.per_block = 10.5});
  const Limited by_warp(CheckKind::counter_at_most, {.per_warp = 1}),
      by_share(CheckKind::counter_at_most, {.per_share = 2048});
  CHECK(by_warp.judge({Limited::of("empty", {128})}).status == CheckResult::Status::passed);
  CHECK(by_warp.judge({Limited::of("empty", {129})}).status == CheckResult::Status::failed);
  CHECK(by_share.judge({Limited::of("empty", {2000})}).status == CheckResult::Status::passed);
  CHECK(by_share.judge({Limited::of("empty", {2001})}).status == CheckResult::Status::failed);
  CHECK(by_element.judge({Limited::of("empty", {1000})}).status == CheckResult::Status::passed);
  CHECK(by_element.judge({Limited::of("empty", {1001})})
            .seen.sentence()
            .ends_with("1001 requests, at most 1000 allowed"));
  CHECK(by_thread.judge({Limited::of("empty", {4096})}).status == CheckResult::Status::passed);
  CHECK(by_thread.judge({Limited::of("empty", {4097})}).status == CheckResult::Status::failed);
  CHECK(by_block.judge({Limited::of("empty", {168})}).status == CheckResult::Status::passed);
  CHECK(by_block.judge({Limited::of("empty", {167})})
            .seen.sentence()
            .ends_with("167 requests, at least 168 required"));
  const Limited fine(CheckKind::counter_at_most, {.constant = 2.5}),
      large(CheckKind::counter_at_most, {.constant = 200.5}),
      least(CheckKind::counter_at_least, {.constant = 200.5});
  CHECK(fine.judge({Limited::of("empty", {3}, "sectors/request")})
            .seen.sentence()
            .ends_with("3, at most 2.5 allowed"));
  CHECK(fine.judge({Limited::of("empty", {3}, "")})
            .seen.sentence()
            .ends_with("3, at most 2.5 allowed"));
  CHECK(fine.judge({Limited::of("empty", {3}, "%")})
            .seen.sentence()
            .ends_with("3 %, at most 2.5 allowed"));
  CHECK(
      large.judge({Limited::of("empty", {300})}).seen.sentence().ends_with("at most 200 allowed"));
  CHECK(large.judge({Limited::of("empty", {300.5})})
            .seen.sentence()
            .ends_with("at most 200.5 allowed"));
  CHECK(least.judge({Limited::of("empty", {100})})
            .seen.sentence()
            .ends_with("at least 201 required"));
}

TEST_CASE("registers_only: judges by the source, and by the GPU's compiler if there is one") {
  const Rubric rubric(CheckKind::registers_only);
  const auto judged = [&](const LocalMemory& local) {
    return rubric.judge({right("empty")}, {}, local);
  };
  CHECK(judged({}).seen.sentence() == "every index of a local array is known at compile time");
  CHECK(judged({{}, 0}).seen.sentence() == "the GPU's compiler needs no local memory");
  CHECK(judged({{}, 0}).status == CheckResult::Status::passed);
  CHECK(judged({{}, 4}).seen.sentence() ==
        "the GPU's compiler uses 4 bytes of local memory per thread, which is device memory, not "
        "registers");
  CHECK(judged({{}, 1}).status == CheckResult::Status::failed);
  const CheckResult by_source = judged({{{"counts", 12}}, std::nullopt});
  CHECK(by_source.line == 12);
  CHECK(by_source.seen.sentence() ==
        "counts is accessed with an index or address that is unknown at compile time. Registers "
        "have no addresses, so such an array is in local memory, which is device memory");
  CHECK(judged({{{"counts", 12}}, 28})
            .seen.sentence()
            .ends_with("; the GPU's compiler uses 28 bytes of local memory per thread"));
  CHECK(judged({{{"counts", 12}}, 0})
            .seen.sentence()
            .ends_with("; this time the GPU's compiler avoids it by comparing the index with that "
                       "of each element"));
}

TEST_CASE("registers_only: an array in shared memory is not in registers") {
  Limited rubric(CheckKind::registers_only, {.per_thread = 1});
  const auto judged = [&](double accesses, const LocalMemory& local) {
    return rubric.judge({Limited::of("empty", {accesses})}, {}, local);
  };
  CHECK(judged(4096, {}).status == CheckResult::Status::passed);
  CHECK(judged(4097, {}).status == CheckResult::Status::failed);
  CHECK(judged(4097, {}).seen.what == "global load requests: 4097 requests, at most 4096 allowed");
  CHECK(judged(0, {{{"counts", 12}}, std::nullopt}).status == CheckResult::Status::failed);
}

TEST_CASE("matches_reference: fails right counts if one thread does the work of all") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.thread_reads = Limit{.constant = 64, .per_share = 32};
  rubric.check.hints = {{"not_shared", "Who reads what?"}};
  const auto judged = [&](double bytes) {
    CaseResult result = right("letters-256");  // 4000 bytes, 4096 threads
    result.runs[0].counters = {
        {"histolab__busiest_thread_input_bytes.max", "bytes", "bytes", bytes}};
    return rubric.judge({result});
  };
  CHECK(judged(95).status == CheckResult::Status::passed);
  const CheckResult alone = judged(4000);
  CHECK(alone.status == CheckResult::Status::failed);
  CHECK(alone.score == 0);
  CHECK(alone.seen.what ==
        "the counts are right, but one thread reads 4000 bytes of the data, at most 95.25 allowed");
  CHECK(alone.seen.why == "4 096 threads should share the work");
  CHECK(alone.hint == "Who reads what?");
  CHECK(alone.hint_fits);
  // Seven threads per block scan its data twice, so each byte is read fourteen times.
  CaseResult scans = right("letters-256");
  scans.runs[0].counters = {
      {"histolab__busiest_thread_input_bytes.max", "bytes", "bytes", 512},
      {"histolab__busy_threads_input_bytes.sum", "bytes", "bytes", 14 * 4000}};
  CHECK(rubric.judge({scans}).status == CheckResult::Status::passed);
  scans.runs[0].counters[0].value = 4000;
  scans.runs[0].counters[1].value = 4000 * 4000;
  CHECK(rubric.judge({scans}).status == CheckResult::Status::failed);
  scans.runs[0].counters[0].value = 512;  // now the others read too little to scan the data
  scans.totals.global_load.lanes = 14 * 4000;
  scans.runs[0].counters[1].value = 4000;
  CHECK(rubric.judge({scans}).status == CheckResult::Status::failed);
  // There are 16 blocks of 8 warps. A thread may also add up 7 counters per thread of its block,
  // and 7 per warp.
  const auto copied = [&](const char* counter, double bytes) {
    CaseResult result = right("letters-256");
    result.runs[0].counters = {{counter, "bytes", "bytes", bytes}};
    return rubric.judge({result});
  };
  const char* const of_block = "histolab__busiest_thread_copied_bytes_of_block.max";
  const char* const of_grid = "histolab__busiest_thread_copied_bytes_of_grid.max";
  CHECK(copied(of_block, 95 + 256 * 28).status == CheckResult::Status::passed);
  CHECK(copied(of_block, 96 + 256 * 28).seen.what ==
        "the counts are right, but one thread reads 7264 bytes of data that its block has copied, "
        "at most 7263 allowed");
  CHECK(copied(of_grid, 95 + 16 * 8 * 28).status == CheckResult::Status::passed);
  CHECK(copied(of_grid, 96 + 16 * 8 * 28).status == CheckResult::Status::failed);
  rubric.check.thread_reads.reset();
  CHECK(judged(4000).status == CheckResult::Status::passed);
}

TEST_CASE("matches_reference: updates missing without any race are the kernel's own mistake") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.cases = {0};
  const auto judged = [&](OneByOne turns) {
    CaseResult lossy = wrong("letters-256", {{1, 2, 300, 150}});
    lossy.one_by_one = std::move(turns);
    return rubric.judge({right("empty"), lossy});
  };
  const OneByOne left_out{true, {{1, 2, 300, 299}}};
  CHECK(judged(left_out).status == CheckResult::Status::passed);
  rubric.check.one_by_one = true;
  CHECK(judged({true, {}}).status == CheckResult::Status::passed);
  CHECK(judged(left_out).seen.sentence() ==
        "case letters-256 (mixed, 4 000 bytes, grid 16 x block 256): expected 300 in bin 2, got "
        "299, although the threads ran one after the other. "
        "No race can lose an update then: the kernel omits it. Count every letter, whatever the "
        "length and the data");
  CHECK(judged(left_out).score == 0);
  CHECK(judged({false, {}}).status == CheckResult::Status::failed);
}

TEST_CASE("expects_finding: a race that loses no updates does not count") {
  Rubric rubric(CheckKind::expects_finding);
  rubric.check.finding = FindingKind::data_race;
  rubric.check.variable = "histo";
  rubric.check.loses_updates = true;
  const auto judged = [&](double lost) {
    CaseResult racy = right("letters-256");
    racy.runs[0].updates_expected = 10;
    racy.findings = {found(FindingKind::data_race, 9, "two threads update it")};
    racy.findings[0].variable = "histo";
    racy.counters = {
        {"histolab__updates_lost_to_races.sum", "updates lost to races", "updates", lost}};
    return rubric.judge({racy});
  };
  CHECK(judged(5).status == CheckResult::Status::passed);
  CHECK(judged(0).status == CheckResult::Status::failed);
  CHECK(judged(4).status == CheckResult::Status::failed);  // most updates are atomic
  CHECK(judged(4).seen.what ==
        "there is a data_race on histo, but fewer than half of the updates are lost to it");
}

TEST_CASE("technique is judged only if counts of the same kernel are right") {
  Limited rubric(CheckKind::counter_at_most, {.constant = 10});
  CheckSpec right_counts;
  right_counts.id = "right";
  right_counts.kind = CheckKind::matches_reference;
  right_counts.cases = {0, 1};
  rubric.lab.checks = {right_counts};
  CaseResult few = Limited::of("empty", {3});
  CHECK(rubric.judge({few, right("letters-256")}).status == CheckResult::Status::passed);
  const CheckResult wrong_too = rubric.judge({few, wrong("letters-256", {{1, 0, 100, 25}})});
  CHECK(wrong_too.status == CheckResult::Status::not_run);
  CHECK(wrong_too.score == 0);
  CHECK(wrong_too.seen.sentence() == "is judged when the counts are right");
  CaseResult lucky = right("letters-256");
  lucky.findings = {found(FindingKind::data_race, 9, "two threads update it")};
  CHECK(rubric.judge({few, lucky}).status == CheckResult::Status::not_run);
  rubric.lab.kernels.push_back(rubric.lab.kernels.front());
  for (const std::size_t other : {0u, 1u}) rubric.lab.cases[other].kernel = 1;
  rubric.check.cases = {2};
  CHECK(rubric.judge({Limited::of("twice-32", {3, 3}), wrong("letters-256", {{1, 0, 100, 25}})})
            .status == CheckResult::Status::passed);
}

TEST_CASE("a limit is judged only if the kernel uses the required technique") {
  Limited few(CheckKind::counter_at_most, {.constant = 10});
  Limited shared(CheckKind::counter_at_least, {.constant = 4});
  shared.check.id = "in_shared_memory";
  shared.check.counter = "other";
  few.lab.checks = {shared.check};
  CaseResult with = Limited::of("empty", {3}), without = with;  // "other" is 1e9
  without.runs[0].counters[0].value = 3;
  CHECK(few.judge({with}).status == CheckResult::Status::passed);
  CHECK(few.judge({without}).status == CheckResult::Status::not_run);
  CHECK(few.judge({without}).seen.sentence() == "is judged when in_shared_memory passes");
  CHECK(few.judge({without}).score == 0);
  without.runs[0].counters[1].value = 11;
  CHECK(few.judge({without}).status == CheckResult::Status::failed);
}

TEST_CASE("a kernel that counts nothing earns nothing, unless there is nothing to count") {
  const Rubric rubric(CheckKind::no_findings);
  CaseResult nothing = right("letters-256");
  nothing.runs[0].histogram.assign(7, 0);
  const CheckResult judged = rubric.judge({nothing});
  CHECK(judged.status == CheckResult::Status::not_run);
  CHECK(judged.score == 0);
  CHECK(judged.seen.sentence() ==
        "the kernel counted nothing in 1 case, so there is nothing to judge yet");
  CHECK(rubric.judge({nothing, right("empty")}).score == 4);
  nothing.runs[0].updates_expected = 0;  // an empty file
  CHECK(rubric.judge({nothing}).score == 4);
}

TEST_CASE("wrong results on a GPU fail the check of results, findings the check of findings") {
  TimedCaseResult timed;
  timed.id = "large";
  timed.dataset = "mixed";
  timed.length = 1 << 20;
  timed.device = "NVIDIA H200";
  timed.rounds = 12;
  timed.right_rounds = 3;
  timed.mismatches = {{2, 3, 1000, 250}};
  const Rubric results(CheckKind::matches_reference), findings(CheckKind::no_findings),
      limits = Limited(CheckKind::counter_at_most, {.constant = 10});
  CHECK(results.judge({right("empty")}, {timed})
            .seen.sentence()
            .find("3 of 12 launches were right") != std::string::npos);
  CHECK(results.judge({right("empty")}, {timed}).status == CheckResult::Status::failed);
  CHECK(findings.judge({right("empty")}, {timed}).status == CheckResult::Status::passed);
  CHECK(limits.judge({right("empty")}, {timed}).status == CheckResult::Status::passed);

  CaseResult racy = right("empty");
  racy.findings = {found(FindingKind::data_race, 9, "two threads update it")};
  CHECK(findings.judge({racy}, {timed})
            .seen.sentence()
            .ends_with("two threads update it. On the NVIDIA H200 9 of 12 launches were wrong"));
  CHECK(results.judge({wrong("empty", {{1, 0, 100, 50}})}, {timed})
            .seen.sentence()
            .ends_with("50 % are missing"));

  timed.right_rounds = 12;
  timed.mismatches.clear();
  timed.findings = {found(FindingKind::misaligned_access, 0, "a misaligned address")};
  CHECK(results.judge({right("empty")}, {timed}).status == CheckResult::Status::passed);
  CHECK(findings.judge({right("empty")}, {timed}).seen.sentence() ==
        "case large (mixed, 1 048 576 bytes, on the NVIDIA H200): a misaligned address. On the "
        "NVIDIA H200 all 12 launches were right, by luck");
}

TEST_CASE("matches_reference: fails right counts if a timed case has a race") {
  Rubric results(CheckKind::matches_reference);
  TimedCaseResult timed;
  timed.id = "large";
  timed.dataset = "mixed";
  timed.length = 1048576;
  timed.device = "NVIDIA H200";
  timed.rounds = 2;
  timed.right_rounds = 2;
  CHECK(results.judge({right("empty")}, {timed}).score == 4);
  timed.findings = {found(FindingKind::data_race, 9, "two threads update it. Use atomicAdd")};
  const CheckResult racy = results.judge({right("empty")}, {timed});
  CHECK(racy.score == 0);
  CHECK(racy.line == 9);
  CheckSpec shows;
  shows.kind = CheckKind::expects_finding;
  shows.finding = FindingKind::data_race;
  results.lab.checks.push_back(shows);
  CHECK(results.judge({right("empty")}, {timed}).score == 4);
}

TEST_CASE(
    "the hint for the finding comes first, then the check's own unless it is for other findings") {
  Rubric rubric(CheckKind::no_findings);
  CaseResult racy = right("empty");
  racy.findings = {found(FindingKind::data_race, 9, "two threads update it")};
  CHECK(rubric.judge({racy}).hint == "Think.");
  CHECK_FALSE(rubric.judge({racy}).hint_fits);
  rubric.check.hint_for = {FindingKind::out_of_bounds};
  CHECK(rubric.judge({racy}).hint.empty());
  rubric.check.hint_for = {FindingKind::out_of_bounds, FindingKind::data_race};
  CHECK(rubric.judge({racy}).hint == "Think.");
  CHECK(rubric.judge({racy}).hint_fits);
  rubric.check.hints = {{"out_of_bounds", "Test both ends."}, {"data_race", "One operation."}};
  CHECK(rubric.judge({racy}).hint == "One operation.");
  CHECK(rubric.judge({racy}).hint_fits);
  racy.findings = {found(FindingKind::data_race, 9,
                         "a plain write can wipe out atomic updates. The atomic function has "
                         "already stored its result: remove the assignment")};
  // The finding's own advice comes before the hint.
  CHECK(rubric.judge({racy}).hint ==
        "The atomic function has already stored its result: remove the assignment");
  racy.findings = {found(
      FindingKind::data_race, 9,
      "the one may have read too early. Make the test and the write one indivisible step, for "
      "example atomicMax or atomicCAS")};
  CHECK(rubric.judge({racy}).hint ==
        "Make the test and the write one indivisible step, for example atomicMax or atomicCAS");
}

TEST_CASE("symptoms need counts per bin") {
  Rubric rubric(CheckKind::matches_reference);
  rubric.check.hints = {{"too_few", "Is every update one operation?"}};
  const CaseResult fewer = wrong("empty", {{1, 2, 300, 150}});
  CHECK(rubric.judge({fewer}).hint == "Is every update one operation?");
  rubric.lab.kernels.front().task.quantity = reference::Quantity::tickets;
  CHECK(rubric.judge({fewer}).hint == "Think.");
}

}  // namespace
}  // namespace histolab::grader
