#include "grader/batch/rubric.h"

#include <doctest/doctest.h>

#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;
using grader::LabSpec;
using grader::testing::TemporaryFolder;

namespace {

// The sample lab, changed by a rubric.
Result<std::vector<LabSpec>> changed(const std::string& of_lab,
                                     const std::string& name = "02-sample") {
  static const TemporaryFolder folder;
  const auto rubric = read_rubric(
      "r.json", R"({"schema": "histolab/rubric/1", "labs": {")" + name + "\": " + of_lab + "}}");
  REQUIRE_MESSAGE(rubric.ok(), rubric.error().message);
  return with_rubric({grader::testing::sample_lab_in(folder.path())}, {"02-sample"}, *rubric,
                     "r.json");
}
std::string refused(const std::string& of_lab, const std::string& name = "02-sample") {
  const auto labs = changed(of_lab, name);
  return labs ? "(fine)" : labs.error().message;
}

}  // namespace

TEST_CASE("an assignment names the graded labs, with weights and deadlines; a rubric does not") {
  const auto assignment = read_rubric(
      "course/week2.json",
      R"({"schema": "histolab/assignment/1", "seed": 815, "roster": "roster.csv", "extensions": "/x/e.csv",
    "labs": {"02-b": {"weight": 2, "points": {"no_findings": 3}}, "01-a": {"deadline": "1970-01-11T00:00:00Z"}}, "late": {"percent_a_day": 10, "late_days": 3}})");
  REQUIRE_MESSAGE(assignment.ok(), assignment.error().message);
  CHECK(assignment->chosen == std::vector<std::string>{"01-a", "02-b"});
  CHECK(assignment->weight_of("02-b") == 2);
  CHECK(assignment->weight_of("01-a") == 1);
  CHECK(assignment->late.deadline_of("01-a") == 10 * 86400);
  CHECK_FALSE(assignment->late.deadline_of("02-b"));
  CHECK(assignment->late.late_days == 3);
  CHECK(assignment->seed == 815u);
  CHECK(assignment->roster == "course/roster.csv");
  CHECK(assignment->extensions == "/x/e.csv");
  // Weights and deadlines change no verdict, so they cause no regrading.
  CHECK(assignment->of_labs() ==
        std::map<std::string, std::string>{{"02-b", R"({"points":{"no_findings":3}})"}});
  const auto rubric =
      read_rubric("r.json", R"({"schema": "histolab/rubric/1", "labs": {"01-a": {}}})");
  REQUIRE(rubric);
  CHECK(rubric->chosen.empty());
  for (const char* wrong :
       {R"({"schema": "histolab/assignment/1"})",
        R"({"schema": "histolab/assignment/1", "labs": {"01-a": {"weight": -1}}})",
        R"({"schema": "histolab/assignment/1", "labs": {"01-a": {"deadline": "soon"}}})",
        R"({"schema": "histolab/assignment/1", "labs": {"01-a": {}}, "seed": -1})",
        R"({"schema": "histolab/rubric/1", "seed": 1})"}) {
    CAPTURE(std::string{wrong});
    CHECK_FALSE(read_rubric("r.json", wrong));
  }
}

TEST_CASE("points, cases and limits change; other values stay") {
  const auto plain = changed("{}");
  REQUIRE(plain);
  const LabSpec& before = plain->front();
  const auto labs = changed(
      R"({"points": {"matches_reference": 6, "no_findings": 2}, "limits": {"launch_seconds": 2.5, "source_bytes": 4096}, "leave_out_cases": [")" +
      before.cases[0].id + "\"]}");
  REQUIRE_MESSAGE(labs.ok(), labs.error().message);
  const LabSpec& lab = labs->front();
  CHECK(lab.max_score == 10);
  CHECK(lab.checks[0].points + lab.checks[1].points + lab.checks[2].points == 10);
  CHECK(lab.checks[2].points == before.checks[2].points);
  CHECK(lab.cases.size() == before.cases.size() - 1);
  CHECK(lab.launch_limit == std::chrono::milliseconds{2500});
  CHECK(lab.submission_limit == std::chrono::milliseconds{7500});
  CHECK(lab.source_limit == 4096);
  CHECK(before.source_limit == 1 << 20);
}

TEST_CASE("a case may be added, and a check may use other cases") {
  const auto labs = changed(
      R"({"add_cases": [{"id": "mine", "dataset": "mixed", "length": 999, "block": 64}], "checks": {"no_findings": {"cases": ["mine"]}}})");
  REQUIRE_MESSAGE(labs.ok(), labs.error().message);
  const LabSpec& lab = labs->front();
  CHECK(lab.cases.back().id == "mine");
  for (const grader::CheckSpec& check : lab.checks)
    if (check.id == "no_findings")
      CHECK(check.cases == std::vector<std::size_t>{lab.cases.size() - 1});
    else if (check.id == "matches_reference")
      CHECK(check.cases.size() == lab.cases.size());
}

TEST_CASE("wrong sums and unknown names are errors with the details") {
  CHECK(refused(R"({"points": {"matches_reference": 7}})") ==
        "r.json: /labs/02-sample/points: the points of the checks add up to 12, but max_score is "
        "10; change one of them");
  CHECK(refused(R"({"max_score": 20})") ==
        "r.json: /labs/02-sample/max_score: the points of the checks add up to 10, but max_score "
        "is 20; change one of them");
  CHECK(refused(R"({"points": {"matches_reference": 7}, "max_score": 12})") == "(fine)");
  CHECK(refused(R"({"points": {"matches_referense": 7}})").find("matches_reference") !=
        std::string::npos);
  CHECK(refused(R"({"leave_out_cases": ["nonesuch"]})").find("nonesuch") != std::string::npos);
  CHECK(refused(R"({"checks": {"no_findings": {"cases": ["nonesuch"]}}})").find("nonesuch") !=
        std::string::npos);
  CHECK(refused(R"({"weights": {}})").find("/labs/02-sample/weights") != std::string::npos);
  CHECK(refused(R"({"limits": {"launch_seconds": 0.01}})").find("expected 0.1 to 600") !=
        std::string::npos);
  CHECK(refused(R"({"limits": {"launch_seconds": 600.0004}})").find("expected 0.1 to 600") !=
        std::string::npos);
  CHECK(refused(R"({"limits": {"submission_seconds": 3601}})").find("expected 0.1 to 3600") !=
        std::string::npos);
  CHECK(refused(R"({"checks": "all"})").find("/labs/02-sample/checks: expected an object") !=
        std::string::npos);
  CHECK(refused(R"({"limits": {"memory": 1}})").find("/labs/02-sample/limits/memory") !=
        std::string::npos);
  const std::string three =
      refused(R"({"weights": {}, "limits": {"memory": 1}, "points": {"matches_referense": 7}})");
  for (const char* part : {"r.json: /labs/02-sample/points/matches_referense: ",
                           "; /labs/02-sample/weights: is not a key of this object; its keys are "
                           "add_cases, checks, leave_out_cases, limits, max_score, points",
                           "; /labs/02-sample/limits/memory: "})
    CHECK_MESSAGE(three.find(part) != std::string::npos, three);
  const std::string many = refused(R"({"a1": 1, "b2": 1, "c3": 1, "d4": 1, "e5": 1, "f6": 1})");
  CHECK(many.find("/labs/02-sample/d4: is not a key of this object; its keys are ") !=
        std::string::npos);
  CHECK(many.ends_with(" (and 2 problems more)"));
  CHECK(refused("{}", "02-sampel") ==
        "r.json: /labs/02-sampel: there is no lab with this name; did you mean 02-sample?");
  for (const char* text :
       {"", "[]", R"({"schema": "histolab/rubric/2"})",
        R"({"schema": "histolab/rubric/1", "later": 1})",
        R"({"schema": "histolab/rubric/1", "late": {"deadline": "soon", "percent_a_day": 1}})",
        R"({"schema": "histolab/rubric/1", "late": {"deadline": "2026-01-01"}})",
        R"({"schema": "histolab/rubric/1", "late": {"percent_a_day": 200}})",
        R"({"schema": "histolab/rubric/1", "labs": []})",
        R"({"schema": "histolab/rubric/1", "late": {"percent_a_day": 1, "deadlines": "soon"}})"}) {
    CAPTURE(text);
    CHECK_FALSE(read_rubric("r.json", text));
  }
}

TEST_CASE(
    "lateness costs points per day begun, after the grace period, up to the limit; an unknown time "
    "costs nothing") {
  const auto rubric = read_rubric(
      "r.json",
      R"({"schema": "histolab/rubric/1", "late": {"deadline": "1970-01-11T00:00:00Z", "percent_a_day": 10, "grace_minutes": 15, "most_percent": 25,
                                               "deadlines": {"02-sample": "1970-01-21T00:00:00Z"}}})");
  REQUIRE_MESSAGE(rubric.ok(), rubric.error().message);
  const LatePolicy& late = rubric->late;
  constexpr std::int64_t deadline = 10 * 86400;
  const auto late_mark = [](const LatePolicy& policy, const std::string& lab,
                            std::optional<std::int64_t> at, bool marked_late, double of) {
    return late_marks(policy, {}, {{lab, at, marked_late, of}}).front();
  };
  const auto score = [&](std::int64_t at) { return late_mark(late, "01-x", at, false, 10).score; };
  CHECK(score(deadline) == 10);
  CHECK(score(deadline + 15 * 60) == 10);
  CHECK(score(deadline + 15 * 60 + 1) == 9);
  CHECK(score(deadline + 86400) == 9);
  CHECK(score(deadline + 86401) == 8);
  CHECK(score(deadline + 30 * 86400) == 7.5);
  CHECK(late_mark(late, "02-sample", deadline + 86400, false, 10).score == 10);
  CHECK(late_mark(late, "01-x", std::nullopt, false, 10).score == 10);
  const LateMark flagged = late_mark(late, "01-x", std::nullopt, true, 10);
  CHECK(flagged.score == 9);
  CHECK(flagged.note.find("counts as one day: 10 % less, 9 instead of 10") != std::string::npos);
  CHECK(late_mark(late, "01-x", deadline + 3600, false, 7).note ==
        "1 h 0 min late: 10 % less, 6.3 instead of 7");
  CHECK(late_mark({}, "01-x", deadline + 3600, true, 7).note.empty());
}
