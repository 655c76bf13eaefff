#include "grader/checks/timed_checks.h"

#include <doctest/doctest.h>

#include <tuple>

#include "grader/checks/checks.h"
#include "grader/checks/rivals.h"

using namespace histolab;
using namespace histolab::grader;

namespace {

LabSpec lab_with(CheckKind kind, double factor) {
  LabSpec lab;
  lab.name = "05-coarsening";
  lab.kernels.emplace_back();
  lab.cases.emplace_back();
  lab.timed = {
      {.id = "large", .dataset = "english", .length = 1u << 26, .emulated_length = 1u << 20}};
  CheckSpec check;
  check.kind = kind;
  check.factor = factor;
  check.timed = {0};
  check.rival = "02-atomic-add";
  lab.checks = {check};
  return lab;
}

TimedCaseResult timed(double own_ms, double rival_ms, const std::string& rival = "05-coarsening") {
  TimedCaseResult result;
  result.id = "large";
  result.dataset = "english";
  result.length = 1u << 26;
  result.device = "NVIDIA H200";
  result.rounds = result.right_rounds = 12;
  result.timing.emplace().median_ms = own_ms;
  kernels::Timing of_rival;
  of_rival.median_ms = of_rival.alone_ms = rival_ms;
  result.rivals = {{rival, of_rival, true}};
  return result;
}

// Returns a check of results on a case of the first kernel.
CheckSpec counts() {
  CheckSpec check;
  check.cases = {0};
  return check;
}

}  // namespace

TEST_CASE("a kernel may take the given multiple of the solution's time") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  CHECK(judge_time(lab, lab.checks[0], {timed(0.14, 0.1)}).passed);
  // The limit itself is allowed.
  CHECK(judge_time(lab, lab.checks[0], {timed(0.75, 0.5)}).passed);
  const Outcome slow = judge_time(lab, lab.checks[0], {timed(0.16, 0.1)});
  CHECK_FALSE(slow.passed);
  CHECK(slow.about == "large");
  CHECK(slow.seen.sentence() ==
        "case large (english, 67 108 864 bytes, on the NVIDIA H200): 160 us, the solution takes "
        "100 us: 1.60 times as long, 1.5 allowed");
}

TEST_CASE("a kernel must be faster than another lab's solution by the given factor") {
  const LabSpec lab = lab_with(CheckKind::speedup_over, 10);
  CHECK(judge_time(lab, lab.checks[0], {timed(1, 12, "02-atomic-add")}).passed);
  // The limit itself is enough.
  CHECK(judge_time(lab, lab.checks[0], {timed(1, 10, "02-atomic-add")}).passed);
  const Outcome slow = judge_time(lab, lab.checks[0], {timed(1.5, 12, "02-atomic-add")});
  CHECK_FALSE(slow.passed);
  CHECK(slow.seen.sentence().find(
            "1.5 ms, the solution of 02-atomic-add takes 12 ms: 8 times as fast, 10 required") !=
        std::string::npos);
  CHECK(judge_time(lab, lab.checks[0], {timed(24, 12, "02-atomic-add")})
            .seen.what.ends_with("takes 12 ms: 2 times as slow; it must be 10 times as fast"));
}

TEST_CASE("a modelled time is labelled as such, with its typical error") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  TimedCaseResult modelled = timed(0.14, 0.1);
  modelled.measured = false;
  modelled.rounds = modelled.right_rounds = 0;
  const Outcome outcome = judge_time(lab, lab.checks[0], {modelled});
  CHECK(outcome.passed);
  CHECK(outcome.seen.sentence().find("modelled for the NVIDIA H200") != std::string::npos);
  CHECK(outcome.seen.sentence().find("1.40 times as long, 1.5 allowed (a model: half of its times "
                                     "are within a factor of 1.15, nine of ten within 1.8)") !=
        std::string::npos);
}

TEST_CASE("a modelled time is not judged if an array is in local memory") {
  LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  CheckSpec registers;
  registers.id = "in_registers";
  registers.kind = CheckKind::registers_only;
  registers.cases = {0};
  lab.checks.push_back(registers);
  const LocalMemory none, some{{{"counts", 12}}, std::nullopt};
  TimedCaseResult measured = timed(0.14, 0.1), modelled = measured;
  modelled.measured = false;
  const auto judged = [&](const TimedCaseResult& time, const LocalMemory& local) {
    return judge_check(lab, lab.checks[0], {}, {time}, local);
  };
  CHECK(judged(measured, some).status == CheckResult::Status::passed);
  CHECK(judged(modelled, none).status == CheckResult::Status::passed);
  CHECK(judged(modelled, some).status == CheckResult::Status::not_run);
  CHECK(judged(modelled, some).seen.sentence() ==
        "a modelled time is judged when in_registers passes");
}

TEST_CASE("a modelled time passes within the model's error, a measured one does not") {
  const auto judged = [](CheckKind kind, double factor, double own_ms, double rival_ms,
                         bool measured) {
    const LabSpec lab = lab_with(kind, factor);
    TimedCaseResult result = timed(own_ms, rival_ms, rival_of(lab, lab.checks[0]));
    result.measured = measured;
    return judge_time(lab, lab.checks[0], {result});
  };
  for (const auto& [kind, factor, own_ms, rival_ms] :
       {std::tuple{CheckKind::within_of_solution, 3.0, 3.02, 1.0},
        {CheckKind::within_of_solution, 3.0, 3.44, 1.0},
        {CheckKind::speedup_over, 2.0, 1.0, 1.75},
        {CheckKind::share_of_read_limit, 60.0, 1.0, 0.53}}) {
    const Outcome modelled = judged(kind, factor, own_ms, rival_ms, false);
    CHECK(modelled.passed);
    CHECK(modelled.seen.what.ends_with(
        "; that is within the model's error of 1.15 times, so it passes"));
    CHECK_FALSE(judged(kind, factor, own_ms, rival_ms, true).passed);
  }
  CHECK_FALSE(judged(CheckKind::within_of_solution, 3, 3.46, 1, false).passed);
  CHECK_FALSE(judged(CheckKind::speedup_over, 2, 1, 1.73, false).passed);
  CHECK(judged(CheckKind::within_of_solution, 3, 2.9, 1, false)
            .seen.what.ends_with("2.90 times as long, 3 allowed"));
  // The message never shows the limit itself for a time that is too long.
  CHECK(judged(CheckKind::within_of_solution, 3, 3.001, 1, true)
            .seen.what.ends_with("3.001 times as long, 3 allowed"));
  CHECK(judged(CheckKind::speedup_over, 2, 1, 1.9999, true)
            .seen.what.ends_with("1.9999 times as fast, 2 required"));
}

TEST_CASE("with several cases, the one closest to its limit is reported") {
  const auto result_of = [](CheckKind kind, double factor, std::initializer_list<double> own_ms) {
    LabSpec lab = lab_with(kind, factor);
    std::vector<TimedCaseResult> all;
    lab.timed.clear();
    lab.checks[0].timed.clear();
    for (const double ms : own_ms) {
      const std::string id = "case-" + std::to_string(all.size());
      lab.timed.push_back({.id = id, .dataset = "english"});
      lab.checks[0].timed.push_back(all.size());
      all.push_back(
          timed(ms, 1, kind == CheckKind::within_of_solution ? "05-coarsening" : "02-atomic-add"));
      all.back().id = id;
    }
    return judge_time(lab, lab.checks[0], all);
  };
  CHECK(result_of(CheckKind::within_of_solution, 2, {1.25, 1.75, 1.5})
            .seen.sentence()
            .starts_with("case case-1 "));
  CHECK(result_of(CheckKind::within_of_solution, 2, {1.25, 2.5, 3.5}).about ==
        // The first one that is too slow.
        "case-1");
  CHECK(result_of(CheckKind::speedup_over, 2, {0.25, 0.5, 0.125})
            .seen.sentence()
            .starts_with("case case-1 "));
}

TEST_CASE("share_of_read_limit compares with the time of reading alone") {
  const LabSpec lab = lab_with(CheckKind::share_of_read_limit, 80);
  CHECK(judge_time(lab, lab.checks[0], {timed(1, 0.8, "read.cu")})
            .seen.sentence()
            .ends_with("1 ms, reading alone takes 800 us: 80 % of the read limit, 80 required"));
  CHECK(judge_time(lab, lab.checks[0], {timed(1, 0.8, "read.cu")}).passed);
  CHECK_FALSE(judge_time(lab, lab.checks[0], {timed(1, 0.75, "read.cu")}).passed);
  CHECK(judge_time(lab, lab.checks[0], {timed(1, 0.8, "02-atomic-add")})
            .seen.sentence()
            .ends_with("there is no time to compare with"));
}

TEST_CASE("the modelled time of a kernel with an error does not count") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  TimedCaseResult modelled = timed(0.1, 0.1);
  modelled.measured = false;
  kernels::Finding note, error;
  note.severity = kernels::Severity::note;
  note.message = "a note";
  error.kind = kernels::FindingKind::data_race;
  error.message = "two threads update it";
  error.line = 7;
  modelled.findings = {note};
  CHECK(judge_time(lab, lab.checks[0], {modelled}).passed);
  modelled.findings = {note, error};
  const Outcome outcome = judge_time(lab, lab.checks[0], {modelled});
  CHECK_FALSE(outcome.passed);
  CHECK(outcome.seen.sentence().ends_with("two threads update it, so its time does not count"));
  CHECK(outcome.line == 7);
  CHECK(outcome.kind == kernels::FindingKind::data_race);
}

TEST_CASE("slowing the rival down gains nothing") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  TimedCaseResult sabotage = timed(0.2, 0.2);
  sabotage.rivals[0].timing.alone_ms = 0.1;
  CHECK_FALSE(judge_time(lab, lab.checks[0], {sabotage}).passed);
  sabotage.rivals[0].timing.median_ms =
      // The rival's results were overwritten, so this time does not count.
      0.01;
  sabotage.rivals[0].right = false;
  CHECK(sabotage.rivals[0].ms() == 0.1);
}

TEST_CASE("the time of a wrong result does not count") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  TimedCaseResult wrong = timed(0.01, 0.1);
  wrong.right_rounds = 3;
  wrong.mismatches = {{2, 3, 1000, 250}};
  CHECK_FALSE(judge_time(lab, lab.checks[0], {wrong}).passed);
  const auto result_of = first_timed_failure(lab, counts(), {wrong});
  REQUIRE(result_of);
  CHECK(result_of->seen.sentence() ==
        "case large (english, 67 108 864 bytes, on the NVIDIA H200): 3 of 12 launches were right; "
        "expected 1 000 in bin 3 (m-p), got 250; 750 updates were lost in that launch");
  wrong.mismatches = {{2, 3, 1000, 1010}, {2, 4, 10, 9}};
  CHECK(first_timed_failure(lab, counts(), {wrong})
            ->seen.sentence()
            .ends_with("got 1 010; 1 update was lost in that launch"));
  wrong.mismatches = {{2, 3, 1000, 1010}};
  CHECK(first_timed_failure(lab, counts(), {wrong})
            ->seen.sentence()
            .ends_with("expected 1 000 in bin 3 (m-p), got 1 010"));
  LabSpec tickets = lab;
  tickets.kernels[0].task.quantity = reference::Quantity::tickets;
  wrong.mismatches = {{2, 3, 1, 0}};
  CHECK(first_timed_failure(tickets, counts(), {wrong})
            ->seen.sentence()
            .ends_with("expected 1 for ticket 3, got 0"));
}

TEST_CASE("a wrong launch behind a modelled time makes the counts wrong") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  TimedCaseResult modelled = timed(0.01, 0.1);
  modelled.measured = false;
  modelled.rounds = 2;
  modelled.right_rounds = 2;
  CHECK_FALSE(first_timed_failure(lab, counts(), {modelled}));
  modelled.right_rounds = 1;
  const auto result_of = first_timed_failure(lab, counts(), {modelled});
  REQUIRE(result_of);
  CHECK(result_of->seen.what == "1 of 2 launches with fewer elements were right");
  modelled.ending = kernels::Ending::timed_out;  // too slow for the model, but not wrong
  CHECK_FALSE(first_timed_failure(lab, counts(), {modelled}));
}

TEST_CASE("the GPU's results are shown next to a race, whether right by luck or wrong") {
  CHECK(gpu_evidence({timed(1, 1)}) == "on the NVIDIA H200 all 12 launches were right, by luck");
  TimedCaseResult lost = timed(1, 1);
  lost.right_rounds = 0;
  CHECK(gpu_evidence({lost}) == "on the NVIDIA H200 12 of 12 launches were wrong");
  CHECK(gpu_evidence({}).empty());
  TimedCaseResult modelled = lost, skipped = lost, none = lost;
  modelled.measured = false;
  skipped.skipped = "no memory";
  none.rounds = 0;
  none.device = "another";
  CHECK(gpu_evidence({modelled, skipped, none}).empty());
  CHECK(gpu_evidence({modelled, timed(1, 1), skipped, lost, none}) ==
        "on the NVIDIA H200 12 of 24 launches were wrong");
}

TEST_CASE("a case that was not timed fails the check with the reason") {
  const LabSpec lab = lab_with(CheckKind::within_of_solution, 1.5);
  CHECK(judge_time(lab, lab.checks[0], {}).seen.sentence() ==
        "case large was not timed: the time of a wrong result does not count");
  TimedCaseResult stopped = timed(1, 1);
  stopped.ending = kernels::Ending::timed_out;
  stopped.ending_detail = "still running";
  CHECK(judge_time(lab, lab.checks[0], {stopped})
            .seen.sentence()
            .find("did not complete: still running") != std::string::npos);
  TimedCaseResult skipped = timed(1, 1);
  skipped.skipped = "the GPU has no memory left";
  CHECK(judge_time(lab, lab.checks[0], {skipped}).seen.sentence() ==
        "case large (english, 67 108 864 bytes, on the NVIDIA H200) was not timed: the GPU has no "
        "memory left");
  CHECK_FALSE(first_timed_failure(lab, counts(), {skipped}));
  TimedCaseResult untimed = timed(1, 1);
  untimed.timing.reset();
  untimed.ending_detail = "no event";
  CHECK(judge_time(lab, lab.checks[0], {untimed})
            .seen.sentence()
            .ends_with("did not complete: no event"));
  CHECK(first_timed_failure(lab, counts(), {stopped}).has_value());
  stopped.kernel = 1;  // not a kernel of the check's cases
  CHECK_FALSE(first_timed_failure(lab, counts(), {stopped}).has_value());
}
