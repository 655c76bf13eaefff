#include "grader/feedback/problems.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::grader;

namespace {

kernels::Finding race(int line, int other_line, const std::string& message,
                      kernels::Severity severity = kernels::Severity::error) {
  kernels::Finding finding;
  finding.kind = kernels::FindingKind::data_race;
  finding.severity = severity;
  finding.line = line;
  finding.other_line = other_line;
  finding.message = message;
  return finding;
}

CheckResult check(const std::string& id, CheckResult::Status status, const std::string& what) {
  CheckResult result;
  result.id = id;
  result.status = status;
  result.seen.what = what;
  return result;
}

Report report_of(std::vector<LabResult> labs) {
  Report report;
  report.labs = std::move(labs);
  return report;
}

LabResult failed_lab() {
  LabResult lab;
  lab.lab = "02-sample";
  lab.status = Verdict::failed;
  lab.score = 5;
  lab.max_score = 10;
  lab.submission = Submission{"work/02-sample.cu", "", ""};
  lab.checks = {
      check("matches_reference", CheckResult::Status::passed, ""),
      check("no_findings", CheckResult::Status::failed, "case a: data_race: two threads meet")};
  lab.checks[1].line = 9;
  lab.checks[1].hint = "Which two?";
  lab.checks[1].cause = race(9, 12, "two threads meet");
  lab.checks[1].tells_cause = true;
  return lab;
}

std::string problems(const LabResult& lab) { return to_problems(report_of({lab})); }

}  // namespace

TEST_CASE("the first failing check, the other line of its race, and what to try") {
  CHECK(problems(failed_lab()) ==
        "work/02-sample.cu:9:1: error: no_findings: case a: data_race: two threads meet\n"
        "work/02-sample.cu:12:1: note: the other access, by another thread\n"
        "work/02-sample.cu:9:1: note: try: Which two?\n");
  LabResult same_line = failed_lab();
  same_line.checks[1].cause->other_line = 9;
  same_line.checks[1].hint = "";
  CHECK(problems(same_line) ==
        "work/02-sample.cu:9:1: error: no_findings: case a: data_race: two threads meet\n");
}

TEST_CASE(
    "a cause that the check does not mention becomes a note; a check without a line uses its "
    "cause's, else line 1") {
  LabResult lab = failed_lab();
  lab.checks[1].seen.what = "the counts are wrong";
  lab.checks[1].tells_cause = false;
  lab.checks[1].line = 0;
  lab.checks[1].hint = "";
  lab.checks[1].cause->other_line = 0;
  CHECK(problems(lab) ==
        "work/02-sample.cu:9:1: error: no_findings: the counts are wrong\n"
        "work/02-sample.cu:9:1: note: data_race: two threads meet\n");
  lab.checks[1].cause.reset();
  CHECK(problems(lab) == "work/02-sample.cu:1:1: error: no_findings: the counts are wrong\n");
}

TEST_CASE("compiler diagnostics: errors, and warnings even for a kernel that passed") {
  LabResult lab = failed_lab();
  lab.status = Verdict::compile_error;
  lab.diagnostics = {{kernels::Severity::note, 2, 7, "suggest parentheses"},
                     {kernels::Severity::error, 3, 0, "expected ';'"},
                     {kernels::Severity::error, 0, 0, "there is no kernel"}};
  CHECK(problems(lab) ==
        "work/02-sample.cu:2:7: warning: suggest parentheses\n"
        "work/02-sample.cu:3:1: error: expected ';'\n"
        "work/02-sample.cu:1:1: error: there is no kernel\n");
  lab.diagnostics.resize(1);
  lab.message = "the compiler ran for 10 s";
  CHECK(problems(lab).ends_with("work/02-sample.cu:1:1: error: the compiler ran for 10 s\n"));
  lab.status = Verdict::passed;
  lab.checks.clear();
  CHECK(problems(lab) == "work/02-sample.cu:2:7: warning: suggest parentheses\n");
}

TEST_CASE("findings of severity note are notes; errors appear only in checks") {
  LabResult lab = failed_lab();
  lab.status = Verdict::passed;
  lab.checks.clear();
  lab.findings = {race(4, 0, "this lab is about it"),
                  race(5, 6, "both write 1", kernels::Severity::note)};
  CHECK(problems(lab) ==
        "work/02-sample.cu:5:1: note: data_race: both write 1\n"
        "work/02-sample.cu:6:1: note: the other access, by another thread\n");
}

TEST_CASE("one problem is one line, whatever a message or a path holds") {
  LabResult lab = failed_lab();
  lab.submission->path = "work/a\nb:1:1: error: c.cu";
  lab.checks[1].cause.reset();
  lab.checks[1].seen.what = "printed \033[31mred\x07\nwork/02-sample.cu:1:1: error: forged\tx";
  lab.checks[1].hint = "";
  CHECK(problems(lab) ==
        "work/a b:1:1: error: c.cu:9:1: error: no_findings: printed ?[31mred? "
        "work/02-sample.cu:1:1: error: forged x\n");
}

TEST_CASE("a quiz is not an error in the kernel; a missing or unrunnable kernel has no problems") {
  LabResult quiz = failed_lab();
  quiz.checks = {check("quiz", CheckResult::Status::failed, "3 of 8 are right")};
  quiz.checks[0].of_quiz = true;
  CHECK(problems(quiz) == "work/02-sample.cu:1:1: note: quiz: 3 of 8 are right\n");
  LabResult missing = failed_lab(), machine = failed_lab();
  missing.submission.reset();
  missing.status = Verdict::not_attempted;
  missing.checks.clear();
  machine.status = Verdict::infrastructure_error;
  machine.message = "no compiler";
  CHECK(to_problems(report_of({missing, machine})).empty());
}

TEST_CASE("the summary") {
  LabResult missing = failed_lab();
  missing.lab = "03-other";
  missing.submission.reset();
  missing.status = Verdict::not_attempted;
  CHECK(to_summary(report_of({failed_lab(), missing})) ==
        "histolab: 02-sample: failed, 5 of 10 points\n");
  CHECK(to_summary(report_of({missing})) ==
        "histolab: nothing to grade: histolab start 03-other puts the stub into work/\n");
  CHECK(to_summary(report_of({missing, missing})) ==
        "histolab: nothing to grade: histolab start puts the stubs into work/\n");
}
