#include "grader/formats/formats.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grader/formats/csv.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::formats;
using grader::Verdict;
using grader::testing::matches_golden;
using Json = nlohmann::json;

namespace {

grader::CheckResult check_of(const std::string& id, bool passed, int points) {
  grader::CheckResult check;
  check.id = id,
  check.status = passed ? grader::CheckResult::Status::passed : grader::CheckResult::Status::failed;
  check.score = passed ? points : 0, check.max_score = points,
  check.seen.what = passed ? "right in 3 cases" : "bin 3: expected 7, got 5";
  if (!passed) check.line = 12, check.hint = "one atomic operation";
  return check;
}

batch::Mark mark_of(const std::string& lab, bool all_right) {
  batch::Mark mark;
  mark.result.lab = lab, mark.result.title = "A lab";
  mark.result.status = all_right ? Verdict::passed : Verdict::failed;
  mark.result.checks = {check_of("matches_reference", true, 4),
                        check_of("no_findings", all_right, 6)};
  mark.result.score = all_right ? 10 : 4, mark.result.max_score = 10;
  mark.score = mark.result.score;
  return mark;
}

batch::Mark broken(const std::string& lab, Verdict status, const std::string& message) {
  batch::Mark mark = mark_of(lab, false);
  mark.result.status = status, mark.result.message = message, mark.result.score = 0, mark.score = 0;
  for (grader::CheckResult& check : mark.result.checks)
    check.status = grader::CheckResult::Status::not_run, check.score = 0,
    check.seen.what = "there is nothing to judge";
  if (status == Verdict::compile_error)
    mark.result.diagnostics = {{kernels::Severity::error, 3, 7, "expected ';'"}};
  if (!has_mark(status)) mark.note = message;
  return mark;
}

Graded graded(std::vector<batch::Mark> marks) { return {{}, "", std::move(marks)}; }

// A hostile name or message.
constexpr const char* hostile =
    "=cmd|' /C "
    "calc'!A0\x1b[2J\xff<script>alert(\"1\")</script>&\x01\xe2\x80\xae,;\"\n\r]]>\xef\xbf\xbf";

batch::ClassResults a_class() {
  batch::ClassResults results;
  for (const char* name : {"01-race", "02-atomic-add"}) {
    batch::Lab& lab = results.labs.emplace_back();
    lab.name = name, lab.title = "A lab", lab.max_score = 10;
  }
  batch::Mark late = mark_of("02-atomic-add", true);
  late.score = 9.0 * 0.9 + 0.001, late.note = "2 days late: 19 % less";
  const auto entry = [&](const std::string& key, const std::string& name,
                         std::vector<batch::Mark> marks) {
    batch::Entry& each = results.entries.emplace_back();
    each.student.key = key, each.student.name = name, each.student.id = "4711",
    each.student.login = key;
    each.marks = std::move(marks);
  };
  entry("ada", "Lovelace, Ada", {mark_of("01-race", true), late});
  entry("eve~0badcafe", hostile,
        {mark_of("01-race", false), broken("02-atomic-add", Verdict::refused, hostile)});
  entry("grace", "Grace",
        {broken("01-race", Verdict::needs_review, "the machine failed three times"),
         mark_of("02-atomic-add", true)});
  entry("nobody", "Nobody",
        {broken("01-race", Verdict::not_attempted, ""),
         broken("02-atomic-add", Verdict::compile_error, "expected ';'")});
  return results;
}

Graded everything() {
  return graded({mark_of("01-race", true), mark_of("02-atomic-add", false),
                 broken("03-interleaved", Verdict::compile_error, "expected ';'"),
                 broken("04-privatization", Verdict::not_attempted, "there is no file")});
}
Graded unjudged() {
  return graded({mark_of("01-race", true), broken("02-atomic-add", Verdict::infrastructure_error,
                                                  "the compiler g++ is not installed")});
}

const std::map<std::string, std::string> runner = {
    {"CLASSROOM", "gpu"},
    {"ASSIGNMENT", "histogram"},
    {"OWNER", "ada"},
    {"SUBMISSION_TAG", "submit/2026-06-01T14-32-05Z-a1b2c3d"},
    {"COMMIT_URL", "https://example.org/c"},
    {"RELEASE_URL", "https://example.org/r"}};

std::string csv_of(const batch::ClassResults& results) {
  std::string text = csv_head(results.labs);
  for (const batch::Entry& entry : results.entries) text += csv_line(entry);
  return text;
}

std::string canvas_of(const batch::ClassResults& results,
                      const std::map<std::string, std::string>& columns) {
  std::string text = canvas_head(results.labs, columns);
  for (const batch::Entry& entry : results.entries) text += canvas_line(entry);
  return text;
}

}  // namespace

TEST_CASE("gradescope: a test per check, and a total score that overrides theirs") {
  const std::string text = to_gradescope(everything());
  CHECK(matches_golden("gradescope.json", text));
  const Json json = Json::parse(text);
  CHECK(json["score"] == 14);
  CHECK(json["tests"].size() == 8);
  CHECK(json["tests"][3]["status"] == "failed");
  CHECK(json["tests"][3]["number"] == "2.2");
}

TEST_CASE("gradescope: the deduction for lateness is in the total score") {
  const Json json = Json::parse(to_gradescope(a_class().entries[0]));
  CHECK(json["score"] == 18.1);
  CHECK(json["output"].get<std::string>().find("2 days late") != std::string::npos);
}

TEST_CASE("without a mark no format gives a zero") {
  const Json gradescope = Json::parse(to_gradescope(unjudged()));
  CHECK_FALSE(gradescope.contains("score"));
  for (const Json& test : gradescope["tests"]) CHECK_FALSE(test.contains("score"));
  CHECK(gradescope["output"].get<std::string>().find("not your fault") != std::string::npos);

  const Json prairielearn = Json::parse(to_prairielearn(unjudged()));
  CHECK(prairielearn["gradable"] == false);
  CHECK_FALSE(prairielearn.contains("score"));

  const Json exercism = Json::parse(to_exercism(unjudged()));
  CHECK(exercism["status"] == "error");
  CHECK(exercism["message"].get<std::string>().find("not your fault") != std::string::npos);

  const Result<std::string> classroom50 = to_classroom50(unjudged(), *classroom50_of(runner, ""));
  REQUIRE_FALSE(classroom50.ok());
  CHECK(classroom50.error().message.find("g++ is not installed") != std::string::npos);

  const std::string junit = to_junit(unjudged());
  CHECK(junit.find("errors=\"2\"") != std::string::npos);
  CHECK(junit.find("<error type=\"infrastructure_error\"") != std::string::npos);

  CHECK(csv_of(a_class()).find(",,10,\n") != std::string::npos);
  CHECK(canvas_of(a_class(), {}).find("Grace,4711,,grace,,,10\n") != std::string::npos);
}

TEST_CASE("prairielearn: a score from 0 to 1; a compile error costs no attempt") {
  const std::string text = to_prairielearn(everything());
  CHECK(matches_golden("prairielearn.json", text));
  CHECK(Json::parse(text)["score"] == 0.35);
  const Json typo = Json::parse(
      to_prairielearn(graded({broken("01-race", Verdict::compile_error, "expected ';'")})));
  CHECK(typo["gradable"] == false);
  CHECK(typo["format_errors"][0].get<std::string>().find("01-race.cu:3:7: error: expected ';'") ==
        0);
}

TEST_CASE("prairielearn: never more than 1 MB") {
  Graded loud = everything();
  for (batch::Mark& mark : loud.marks)
    for (int i = 0; i < 40; ++i)
      mark.result.checks.push_back(check_of("no_findings", false, 0)),
          mark.result.checks.back().seen.what = std::string(60'000, '"');
  const std::string text = to_prairielearn(loud);
  CHECK(text.size() <= 1'000'000);
  CHECK(Json::parse(text)["tests"].size() == 168);
}

TEST_CASE("exercism: version 3, one task per lab, an output of at most 500 characters") {
  Graded printing = everything();
  printing.marks[0].result.cases.emplace_back().printed = std::string(700, 'x') + "\xc3\xa9";
  const std::string text = to_exercism(printing);
  CHECK(matches_golden("exercism.json", text));
  const Json json = Json::parse(text);
  CHECK(json["status"] == "fail");
  CHECK(json["tests"][0]["output"].get<std::string>().size() == 500);
  CHECK(json["tests"][4]["status"] == "error");
  CHECK(json["tests"][4]["task_id"] == 3);
  CHECK(Json::parse(to_exercism(graded({mark_of("01-race", true)})))["status"] == "pass");
  const Json typo =
      Json::parse(to_exercism(graded({broken("01-race", Verdict::compile_error, "expected ';'")})));
  CHECK(typo["status"] == "error");
  CHECK(typo["message"].get<std::string>().find("01-race.cu:3:7: error: expected ';'") !=
        std::string::npos);
}

TEST_CASE("classroom 50: owner and assignment come from its runner") {
  const Result<Classroom50> where = classroom50_of(runner, "2026-11-23T00:00:00Z");
  REQUIRE(where.ok());
  CHECK(where->datetime == "2026-06-01T14:32:05Z");
  CHECK(where->review == where->commit);
  const Result<std::string> text = to_classroom50(everything(), *where);
  REQUIRE(text.ok());
  CHECK(matches_golden("classroom50.json", *text));
  std::map<std::string, std::string> without = runner;
  without.erase("CLASSROOM"), without.erase("OWNER");
  CHECK(classroom50_of(without, "").error().message.find("not set: CLASSROOM, USERNAME") !=
        std::string::npos);
  std::map<std::string, std::string> odd = runner;
  odd["SUBMISSION_TAG"] = "submit/by-hand";
  CHECK(classroom50_of(odd, "2026-11-23T00:00:00Z")->datetime == "2026-11-23T00:00:00Z");
}

TEST_CASE("junit: a suite per lab") {
  const std::string text = to_junit(everything());
  CHECK(matches_golden("junit.xml", text));
  CHECK(
      text.find(R"(<testsuites name="histolab" tests="8" failures="1" errors="2" skipped="2">)") !=
      std::string::npos);
}

TEST_CASE("csv: a row per student, a column per lab, then the total") {
  CHECK(matches_golden("class.csv", csv_of(a_class())));
  CHECK(csv_of(a_class()).find("student,name,email,id,section,01-race,02-atomic-add,total\nada,") ==
        0);
  grader::Report report;
  report.labs = {mark_of("01-race", false).result};
  Graded alone = graded_of(report);
  alone.student.key = "report";
  CHECK(csv_head(labs_of(report)) + csv_line(alone) ==
        "student,name,email,id,section,01-race,total\nreport,,,,,4,4\n");
}

TEST_CASE("canvas: its columns, a row of points, and the names of its assignments") {
  const std::string text = canvas_of(a_class(), {{"01-race", "Lab 1: races (815)"}});
  CHECK(matches_golden("canvas.csv", text));
  CHECK(text.find(
            "Student,ID,SIS User ID,SIS Login ID,Section,\"Lab 1: races (815)\",02-atomic-add A "
            "lab\n    Points Possible,,,,,10.00,10.00\n\"Lovelace, Ada\",4711,,ada,,10,8.1\n") ==
        0);
}

TEST_CASE("a cell is never a formula, and no name is lost") {
  CHECK(csv_cell("Ada Lovelace") == "Ada Lovelace");
  CHECK(csv_cell("O'Neill-Smith") == "\"O'Neill-Smith\"");
  for (const std::string start :
       {"=", "+", "-", "@", " =", "\t=", "\r=", "\xEF\xBC\x9D", "\xEF\xBC\xA0"}) {
    const std::string cell = csv_cell(start + "1+1");
    CHECK_MESSAGE(
        (cell.find("\"'") == 0 || cell.find("'") == 0 || cell.find("\"\xEF\xBF\xBD") == 0), cell);
  }
  CHECK(csv_cell("a;=1") == "\"a;=1\"");
  CHECK(csv_cell("say \"hi\"\nthere") == "\"say \"\"hi\"\" there\"");
  CHECK(csv_cell("\xc3\xa9") == "\"\xc3\xa9\"");
}

TEST_CASE("untrusted text is escaped in every format") {
  Graded eve = a_class().entries[1];
  for (batch::Mark& mark : eve.marks) {
    for (grader::CheckResult& check : mark.result.checks)
      check.seen.what = check.title = check.hint = hostile;
    mark.result.cases.emplace_back().printed = hostile;
    mark.result.diagnostics = {{kernels::Severity::error, 1, 1, hostile}};
  }
  eve.problem = hostile;
  for (const std::string& text : {to_gradescope(eve), to_prairielearn(eve), to_exercism(eve),
                                  *to_classroom50(eve, *classroom50_of(runner, "")), to_junit(eve),
                                  csv_line(eve), canvas_line(eve)})
    for (const char* bad :
         {"\x1b", "\x01", "\xff", "\xe2\x80\xae", "\xef\xbf\xbf", "\r", "\\u001b", "\\u0001"})
      CHECK_MESSAGE(text.find(bad) == std::string::npos, text.substr(0, 400));
  CHECK(to_junit(eve).find("<script>") == std::string::npos);
}

TEST_CASE("text is cut between characters") {
  CHECK(cut("abc", 3) == "abc");
  CHECK(cut("abcdef", 5) == "ab...");
  CHECK(cut("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3, "!") == "\xc3\xa9\xc3\xa9!");
}
