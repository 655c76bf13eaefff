#include "viewer/model/verdict.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

using nlohmann::json;

json report(const char* lab) {
  return {{"schema", "histolab/report/1"}, {"quick", true}, {"labs", {json::parse(lab)}}};
}

TEST_CASE("verdict: failed, with points, the first failed check and its advice") {
  const Result<Verdict> verdict = verdict_in(
      report(R"({"lab":"04-privatization","status":"failed","score":7,"max_score":9,"message":null,
    "submission":{"path":"k.cu","sha256":"ab"},"diagnostics":[],
    "checks":[{"id":"a","title":null,"status":"passed","score":5,"max_score":5,"message":"right in 5 cases","line":null},
              {"id":"b","title":"B","status":"not_run","score":0,"max_score":1,"message":"","line":null},
              {"id":"c","title":"no race","status":"failed","score":0,"max_score":2,"message":"case one: a race. Wait. Hint: Zero. Then wait.","seen":{"where":"case one","what":"a race","next":"Wait"},"hint":"Zero. Then wait.","line":13}],
    "findings":[{"kind":"data_race","severity":"error","variable":"p","line":13,"other_line":6,"count":3,"message":"m"}]})"));
  REQUIRE(verdict);
  CHECK_FALSE(verdict->passed());
  CHECK(verdict->headline() == "failed: 7 of 9 points");
  CHECK(verdict->sha256 == "ab");
  CHECK(verdict->quick);
  CHECK(verdict->checks[0].title == "a");
  const VerdictCheck* check = verdict->first_failure();
  REQUIRE(check != nullptr);
  CHECK(check->id == "c");
  CHECK(check->seen.sentence() == "case one: a race. Wait");
  CHECK(check->hint == "Zero. Then wait.");
  CHECK(check->line == 13);
  REQUIRE(verdict->findings.size() == 1);
  CHECK(verdict->findings[0].other_line == 6);
}

TEST_CASE("verdict: passed, not compiled, not graded, stopped") {
  const auto headline = [](const char* lab) { return verdict_in(report(lab)).value().headline(); };
  CHECK(headline(R"({"status":"passed","score":1,"max_score":1,"checks":[]})") ==
        "passed: 1 of 1 point");
  CHECK(headline(R"({"status":"compile_error","score":0,"max_score":10})") == "does not compile");
  CHECK(headline(R"({"status":"infrastructure_error","score":null,"max_score":10})") ==
        "not graded: this machine was at fault, so there is no score");
  CHECK(headline(R"({"status":"timeout","score":0,"max_score":10})") ==
        "took too long: 0 of 10 points");
  const Result<Verdict> passed = verdict_in(
      report(R"({"status":"passed","score":1,"max_score":1,"checks":[{"status":"passed"}]})"));
  CHECK(passed->first_failure() == nullptr);
  CHECK(passed->passed());
}

TEST_CASE("verdict: invalid reports are errors, and wrong types are harmless") {
  for (const char* wrong :
       {"null", "[]", "{}", R"({"labs":[]})", R"({"labs":[{},{}]})", R"({"labs":7})"})
    CHECK_FALSE(verdict_in(json::parse(wrong)));
  const Result<Verdict> odd = verdict_in(json::parse(
      R"({"labs":[{"status":3,"score":"x","max_score":-4,"checks":{"a":1},"findings":5,"submission":[]}]})"));
  REQUIRE(odd);
  CHECK_FALSE(odd->passed());
  CHECK(odd->headline() == "not graded: this machine was at fault, so there is no score");
}

}  // namespace
}  // namespace histolab::viewer
