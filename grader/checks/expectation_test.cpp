// Reading an attempt's expect.json, and comparing it with the result of grading.
#include "grader/checks/expectation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "grader/testing/sample.h"

namespace histolab::grader {
namespace {

using kernels::Finding;
using kernels::FindingKind;
using kernels::Severity;
using testing::TemporaryFolder;
using Sentences = std::vector<std::string>;

Result<Expectation> read(const std::string& text) {
  const TemporaryFolder folder;
  testing::put(folder.at("expect.json"), text);
  return load_expectation(folder.at("expect.json"), testing::sample_lab());
}

std::string problem(const std::string& text) {
  const Result<Expectation> wrong = read(text);
  REQUIRE_FALSE(wrong);
  const std::string message = wrong.error().message;
  return message.substr(message.find("expect.json") + std::string_view("expect.json").size());
}

Finding found(FindingKind kind, const std::string& variable, int line, int other_line = 0) {
  Finding finding;
  finding.kind = kind;
  finding.variable = variable;
  finding.line = line;
  finding.other_line = other_line;
  return finding;
}

// Fails matches_reference, which names line 3.
LabResult failed(std::vector<Finding> findings = {}) {
  LabResult result;
  result.status = Verdict::failed;
  CheckResult passed, check;
  passed.id = "coalesced";
  passed.status = CheckResult::Status::passed;
  check.id = "matches_reference";
  check.status = CheckResult::Status::failed;
  check.line = 3;
  check.seen.what = "expected 4 in bin 0";
  result.checks = {passed, check};
  result.findings = std::move(findings);
  return result;
}

Sentences unmet_by(const std::string& expected, const LabResult& got) {
  const Result<Expectation> expectation = read(expected);
  REQUIRE(expectation);
  return unmet(*expectation, got, testing::sample_lab());
}

const std::string plain = R"({"status": "failed", "check": "matches_reference", "why": "w"})";
std::string with_finding(const std::string& finding) {
  return R"({"status": "failed", "check": "matches_reference", "why": "w", "finding": )" + finding +
         "}";
}

TEST_CASE("expect.json: every member is read") {
  const Result<Expectation> all = read(
      R"({"status": "failed", "check": "no_findings", "finding": {"kind": "data_race", "variable": "histo", "line": 3, "other_line": 1000000}, "line": 7, "why": "Two threads."})");
  REQUIRE(all);
  CHECK(all->status == "failed");
  CHECK(all->check == "no_findings");
  REQUIRE(all->finding);
  CHECK(all->finding->kind == FindingKind::data_race);
  CHECK(all->finding->variable == "histo");
  CHECK(all->finding->line == 3);
  CHECK(all->finding->other_line == 1000000);
  CHECK(all->line == 7);
  CHECK(all->why == "Two threads.");
  for (const std::string status : {"passed", "compile_error", "timeout", "crashed", "refused"}) {
    const Result<Expectation> least =
        read(fmt::format(R"({{"status": "{}", "why": "w"}})", status));
    REQUIRE(least);
    CHECK(least->status == status);
    CHECK_FALSE(least->finding);
    CHECK(least->line == 0);
  }
}

TEST_CASE("expect.json: each problem is reported with its position") {
  CHECK(problem(R"({"status": "faild", "check": "coalesced", "why": "w"})")
            .find("did you mean failed?") != std::string::npos);
  CHECK(problem(R"({"status": "failed", "why": "w"})") ==
        ": /check: is missing; expected the id of the first check that fails");
  CHECK(problem(R"({"status": "failed", "check": "fast", "why": "w"})") ==
        ": /check: 02-sample has no check \"fast\"");
  CHECK(problem(R"({"status": "passed", "check": "coalesced", "why": "w"})") ==
        ": /check: an attempt that passes has no failing check");
  CHECK(
      problem(with_finding(R"({"kind": "data_rce", "line": 1})")).find("did you mean data_race?") !=
      std::string::npos);
  CHECK(problem(with_finding(R"({"kind": "data_race"})")).starts_with(": /finding/line: "));
  CHECK(problem(with_finding(R"({"kind": "data_race", "line": 0})"))
            .starts_with(": /finding/line: "));
  CHECK(problem(with_finding(R"({"kind": "data_race", "line": 1000001})"))
            .starts_with(": /finding/line: "));
  CHECK(problem(with_finding(R"({"kind": "data_race", "line": 1, "other_line": 0})"))
            .starts_with(": /finding/other_line: "));
  CHECK(problem(with_finding(R"({"kind": "data_race", "line": 1, "where": 2})"))
            .starts_with(": /finding/where: "));
  CHECK(problem(with_finding("{}")).find("/finding/kind: ") != std::string::npos);
  CHECK(problem(R"({"status": "compile_error", "line": 0, "why": "w"})").starts_with(": /line: "));
  CHECK(problem(R"({"status": "compile_error"})").starts_with(": /why: "));
  CHECK(problem(R"({"status": "compile_error", "why": "w", "because": 1})")
            .starts_with(": /because: "));
}

TEST_CASE("a different verdict is reported with its reason, and nothing else") {
  CHECK(unmet_by(plain, failed()).empty());
  CHECK(unmet_by(R"({"status": "passed", "why": "w"})",
                 failed({found(FindingKind::data_race, "histo", 3)})) ==
        Sentences{
            "expected the verdict passed, got failed (matches_reference: expected 4 in bin 0)"});
  LabResult broken;
  broken.status = Verdict::compile_error;
  broken.message = "line 2: no ;";
  CHECK(unmet_by(plain, broken) ==
        Sentences{"expected the verdict failed, got compile_error: line 2: no ;"});
}

TEST_CASE("a different first failing check is reported") {
  CHECK(
      unmet_by(R"({"status": "failed", "check": "no_findings", "why": "w"})", failed()) ==
      Sentences{"expected no_findings to be the first check that fails, it is matches_reference"});
  LabResult none = failed();
  none.checks.clear();
  CHECK(unmet_by(plain, none) ==
        Sentences{"expected matches_reference to be the first check that fails, it is none"});
}

TEST_CASE("a finding matches by kind, optional variable, and one or both of its lines") {
  const LabResult race = failed({found(FindingKind::data_race, "histo", 5, 9)});
  const auto met = [&](const std::string& finding) {
    return unmet_by(with_finding(finding), race).empty();
  };
  CHECK(met(R"({"kind": "data_race", "line": 5})"));
  CHECK(met(R"({"kind": "data_race", "line": 9})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "line": 7})"));
  CHECK(met(R"({"kind": "data_race", "line": 5, "other_line": 9})"));
  CHECK(met(R"({"kind": "data_race", "line": 9, "other_line": 5})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "line": 5, "other_line": 5})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "line": 9, "other_line": 9})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "line": 5, "other_line": 8})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "line": 9, "other_line": 8})"));
  CHECK_FALSE(met(R"({"kind": "out_of_bounds", "line": 5})"));
  CHECK(met(R"({"kind": "data_race", "variable": "histo", "line": 5})"));
  CHECK_FALSE(met(R"({"kind": "data_race", "variable": "data", "line": 5})"));
  CHECK(unmet_by(with_finding(R"({"kind": "data_race", "variable": "data", "line": 7})"), race) ==
        Sentences{
            "expected the finding data_race on data, line 7, got data_race on histo, line 5/9"});
  CHECK(unmet_by(with_finding(R"({"kind": "data_race", "line": 7, "other_line": 7})"), failed()) ==
        Sentences{"expected the finding data_race, line 7, got no findings"});
}

TEST_CASE("an unexpected finding is reported unless the lab asks for it or excepts it") {
  std::vector<Finding> findings = {found(FindingKind::data_race, "histo", 5, 5),
                                   found(FindingKind::misaligned_access, "", 8, 0),
                                   found(FindingKind::out_of_bounds, "data", 9)};
  findings[2].severity = Severity::note;
  CHECK(
      unmet_by(plain, failed(findings)) ==
      Sentences{"expected no finding, got data_race on histo, line 5, misaligned_access, line 8"});
  const Result<Expectation> expectation = read(plain);
  REQUIRE(expectation);
  LabSpec lab = testing::sample_lab();
  lab.checks[1].except = {FindingKind::data_race};
  CHECK(unmet(*expectation, failed(findings), lab) ==
        Sentences{"expected no finding, got misaligned_access, line 8"});
  lab.checks.back().finding = FindingKind::misaligned_access;
  CHECK(unmet(*expectation, failed(findings), lab).empty());
}

TEST_CASE("the line is that of the check, or that of a compiler error") {
  const std::string at =
      R"({{"status": "failed", "check": "matches_reference", "line": {}, "why": "w"}})";
  CHECK(unmet_by(fmt::format(fmt::runtime(at), 3), failed()).empty());
  CHECK(unmet_by(fmt::format(fmt::runtime(at), 1), failed()) ==
        Sentences{"expected matches_reference to name line 1, it names 3: expected 4 in bin 0"});
  CHECK(unmet_by(fmt::format(fmt::runtime(at), 4), failed()) ==
        Sentences{"expected matches_reference to name line 4, it names 3: expected 4 in bin 0"});
  LabResult broken;
  broken.status = Verdict::compile_error;
  broken.diagnostics = {{Severity::note, 2, 1, "a warning"}, {Severity::error, 5, 1, "no ;"}};
  CHECK(unmet_by(R"({"status": "compile_error", "line": 5, "why": "w"})", broken).empty());
  CHECK(unmet_by(R"({"status": "compile_error", "line": 1, "why": "w"})", broken).size() == 1);
  CHECK(unmet_by(R"({"status": "compile_error", "line": 2, "why": "w"})", broken) ==
        Sentences{"expected a compiler error on line 2"});
}

}  // namespace
}  // namespace histolab::grader
