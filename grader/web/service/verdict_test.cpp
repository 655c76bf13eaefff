// The events of a save as lines of JSON.
#include "grader/web/service/verdict.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace histolab;
using namespace histolab::web;
using nlohmann::json;

namespace {

grader::GradingStep failed_step() {
  grader::GradingStep step;
  step.result.lab = "02-sample";
  step.result.status = grader::Verdict::failed;
  step.result.score = 3;
  step.result.max_score = 10;
  step.result.submission = grader::Submission{"work/02-sample.cu", "line 1\nline 2\n", "-"};
  grader::CheckResult check;
  check.id = "matches_reference";
  check.title = "counts right";
  check.status = grader::CheckResult::Status::failed;
  check.max_score = 7;
  check.line = 2;
  check.seen.what = "expected 4 in bin 1, got 3";
  step.result.checks.push_back(check);
  step.quick = true;
  return step;
}

json parsed(const std::string& line) {
  REQUIRE(line.ends_with("\n"));
  REQUIRE(line.find('\n') == line.size() - 1);
  return json::parse(line);
}

}  // namespace

TEST_CASE("a verdict has the advice, its places and the checks") {
  const json verdict = parsed(verdict_line("abc", failed_step(), 57.5, 3));
  CHECK(verdict["event"] == "verdict");
  CHECK(verdict["sha256"] == "abc");
  CHECK(verdict["quick"] == true);
  CHECK(verdict["more"] == false);
  CHECK(verdict["status"] == "failed");
  CHECK(verdict["passed"] == false);
  CHECK(verdict["score"] == 3);
  CHECK(verdict["max_score"] == 10);
  CHECK(verdict["elapsed_ms"] == 57.5);
  CHECK(verdict["labs_passed"] == 3);
  CHECK(verdict["whose"] == "yours");
  CHECK(verdict["headline"] == "matches_reference failed (0 of 7 points)");
  CHECK(verdict["remarks"][0]["places"][0]["line"] == 2);
  CHECK(verdict["checks"][0]["status"] == "failed");
}

TEST_CASE("quick cases alone do not pass a lab") {
  grader::GradingStep step;
  step.result.status = grader::Verdict::passed;
  step.quick = true;
  CHECK(parsed(verdict_line("abc", step, 1, 0))["passed"] == false);
  CHECK(parsed(verdict_line("abc", step, 1, 0))["headline"] == "correct so far");
  step.quick = false;
  CHECK(parsed(verdict_line("abc", step, 1, 0))["passed"] == true);
  CHECK(parsed(verdict_line("abc", step, 1, 0))["headline"] == "passed");
}

TEST_CASE("a failure of the machine is said to be the machine's") {
  grader::GradingStep step = failed_step();
  step.result.status = grader::Verdict::infrastructure_error;
  step.result.message = "the compiler g++ is not installed";
  const json verdict = parsed(verdict_line("abc", step, 1, 0));
  CHECK(verdict["whose"] == "machine");
  CHECK(verdict["headline"] == "not graded: the machine failed");
  CHECK(verdict["score"] == 0);
  CHECK(verdict["message"] == "the compiler g++ is not installed");
}

TEST_CASE("hostile text stays within its line, and bytes that are not UTF-8 are replaced") {
  const KernelText text{"work/02.cu", "\"}\n{\"event\":\"saved\"}\n", "abc"};
  CHECK(parsed(changed_line(text))["text"] == text.text);
  CHECK(parsed(conflict_line(text))["event"] == "conflict");
  CHECK(parsed(error_line("abc", "bad \xff byte", true))["message"] == "bad \xEF\xBF\xBD byte");
}

TEST_CASE("the other events name the text that they are about") {
  CHECK(parsed(saved_line("abc"))["sha256"] == "abc");
  const json queued = parsed(queued_line("abc", 2));
  CHECK(queued["sha256"] == "abc");
  CHECK(queued["ahead"] == 2);
  CHECK(parsed(superseded_line("abc"))["sha256"] == "abc");
  CHECK(parsed(error_line("abc", "no", false))["whose"] == "yours");
  CHECK(parsed(alive_line)["event"] == "alive");
}
