// Sums of a report, merging of findings, and the choice of the first failing check.
#include "grader/report/report.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace histolab::grader {
namespace {

using kernels::Finding;
using kernels::FindingKind;
using Status = CheckResult::Status;

LabResult lab(Verdict status, int score, int max_score) {
  LabResult result;
  result.status = status, result.score = score, result.max_score = max_score;
  return result;
}

TEST_CASE("verdicts and statuses have the names that reports use") {
  for (const auto& [verdict, word] : {std::pair{Verdict::passed, "passed"},
                                      {Verdict::failed, "failed"},
                                      {Verdict::compile_error, "compile_error"},
                                      {Verdict::timeout, "timeout"},
                                      {Verdict::crashed, "crashed"},
                                      {Verdict::refused, "refused"},
                                      {Verdict::not_attempted, "not_attempted"},
                                      {Verdict::infrastructure_error, "infrastructure_error"},
                                      {Verdict::needs_review, "needs_review"}})
    CHECK(name(verdict) == word);
  for (const auto& [status, word] : {std::pair{Status::passed, "passed"},
                                     {Status::failed, "failed"},
                                     {Status::not_run, "not_run"}})
    CHECK(name(status) == word);
}

TEST_CASE(
    "points are summed; all_passed needs every lab to pass; machine_failed if a lab has no mark") {
  Report report;
  CHECK(report.all_passed());
  report.labs = {lab(Verdict::passed, 10, 10), lab(Verdict::passed, 5, 5)};
  CHECK(report.score() == 15);
  CHECK(report.max_score() == 15);
  CHECK(report.all_passed());
  CHECK_FALSE(report.machine_failed());
  report.labs.push_back(lab(Verdict::failed, 3, 10));
  CHECK(report.score() == 18);
  CHECK(report.max_score() == 25);
  CHECK_FALSE(report.all_passed());
  CHECK_FALSE(report.machine_failed());
  for (const Verdict verdict : {Verdict::infrastructure_error, Verdict::needs_review}) {
    Report without_mark;
    without_mark.labs = {lab(Verdict::passed, 10, 10), lab(verdict, 0, 10)};
    CHECK(without_mark.machine_failed());
    CHECK_FALSE(without_mark.all_passed());
  }
  for (const Verdict verdict : {Verdict::compile_error, Verdict::timeout, Verdict::crashed,
                                Verdict::refused, Verdict::not_attempted}) {
    Report marked;
    marked.labs = {lab(verdict, 0, 10)};
    CHECK_FALSE(marked.machine_failed());
  }
}

TEST_CASE("findings with the same cause are merged, and their counts added") {
  Finding race, bounds;
  race.kind = FindingKind::data_race, race.variable = "histo", race.line = 3, race.other_line = 5,
  race.count = 2;
  bounds.kind = FindingKind::out_of_bounds, bounds.variable = "data", bounds.line = 3;
  std::vector<Finding> all = {race};
  merge_findings(all, {race, bounds});
  REQUIRE(all.size() == 2);
  CHECK(all[0].count == 4);
  CHECK(all[1].kind == FindingKind::out_of_bounds);
}

TEST_CASE("a new finding keeps its order before known findings, and notes come last") {
  const auto at = [](int line, kernels::Severity severity = kernels::Severity::error) {
    Finding finding;
    finding.kind = FindingKind::out_of_bounds, finding.line = line, finding.severity = severity;
    return finding;
  };
  const kernels::Severity note = kernels::Severity::note;
  const auto lines = [](const std::vector<Finding>& all) {
    std::vector<int> found;
    for (const Finding& finding : all) found.push_back(finding.line);
    return found;
  };
  std::vector<Finding> all;
  merge_findings(all, {at(1), at(7, note)});
  merge_findings(all, {at(2), at(3), at(1), at(4)});
  CHECK(lines(all) == std::vector{2, 3, 1, 4, 7});
  merge_findings(all, {at(4), at(1), at(5), at(6, note)});
  CHECK(lines(all) == std::vector{2, 3, 1, 4, 5, 7, 6});
}

TEST_CASE(
    "a rival's time in turns counts only if its results were correct; a modelled rival has no "
    "other time") {
  TimedCaseResult::Rival rival;
  rival.timing.median_ms = 2, rival.timing.alone_ms = 3;
  CHECK(rival.ms() == 2);
  rival.right = false;
  CHECK(rival.ms() == 3);
  rival.right = true, rival.timing.alone_ms = 1;
  CHECK(rival.ms() == 1);
  rival.timing.alone_ms = 0;
  CHECK(rival.ms() == 2);
}

TEST_CASE("the first failing check: of the kernel before the quiz, failed before not run") {
  const auto first = [](std::initializer_list<std::pair<Status, bool>> checks) {
    LabResult result;
    for (const auto& [status, of_quiz] : checks) {
      CheckResult check;
      check.id = std::to_string(result.checks.size()), check.status = status,
      check.of_quiz = of_quiz;
      result.checks.push_back(check);
    }
    const CheckResult* const found = first_failing(result);
    return found == nullptr ? "none" : found->id;
  };
  CHECK(first({}) == "none");
  CHECK(first({{Status::passed, false}, {Status::passed, true}}) == "none");
  CHECK(first({{Status::passed, false}, {Status::failed, false}, {Status::failed, false}}) == "1");
  CHECK(first({{Status::not_run, false}, {Status::failed, false}}) == "1");
  CHECK(first({{Status::failed, true}, {Status::not_run, false}}) == "1");
  CHECK(first({{Status::not_run, true}, {Status::failed, true}, {Status::passed, false}}) == "1");
}

}  // namespace
}  // namespace histolab::grader
