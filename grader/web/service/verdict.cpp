#include "grader/web/service/verdict.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "grader/feedback/advice.h"
#include "grader/files/json_fields.h"

namespace histolab::web {
namespace {

using Json = grader::OrderedJson;

// One line. The server's texts are UTF-8; anything else in them is replaced.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json event(const char* name, const std::string& sha256) {
  return {{"event", name}, {"sha256", sha256}};
}

Json json_of(const grader::Remark& remark) {
  Json places = Json::array();
  for (const grader::Remark::Place& each : remark.places)
    places.push_back({{"line", each.line}, {"column", each.column}});
  return {{"where", remark.where},
          {"what", remark.what},
          {"why", remark.why},
          {"next", remark.next},
          {"places", std::move(places)}};
}

// The headline of a verdict without advice.
const char* headline_of(const grader::GradingStep& step) {
  if (!grader::has_mark(step.result.status)) return "not graded: the machine failed";
  return step.quick ? "correct so far" : "passed";
}

}  // namespace

std::string saved_line(const std::string& sha256) {
  Json json = event("saved", sha256);
  json["at"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return line(json);
}

std::string conflict_line(const KernelText& there) {
  Json json = event("conflict", there.sha256);
  json["text"] = there.text;
  return line(json);
}

std::string changed_line(const KernelText& there) {
  Json json = event("changed", there.sha256);
  json["text"] = there.text;
  return line(json);
}

std::string queued_line(const std::string& sha256, std::size_t ahead) {
  Json json = event("queued", sha256);
  json["ahead"] = ahead;
  return line(json);
}

std::string superseded_line(const std::string& sha256) { return line(event("superseded", sha256)); }

std::string error_line(const std::string& sha256, const std::string& message, bool of_machine) {
  Json json = event("error", sha256);
  json["message"] = message;
  json["whose"] = of_machine ? "machine" : "yours";
  return line(json);
}

std::string verdict_line(const std::string& sha256, const grader::GradingStep& step,
                         double elapsed_ms, std::size_t labs_passed) {
  const grader::LabResult& result = step.result;
  const bool is_known = grader::has_mark(result.status);
  Json json = event("verdict", sha256);
  json["quick"] = step.quick;
  json["more"] = step.more;
  json["status"] = grader::name(result.status);
  json["passed"] = result.status == grader::Verdict::passed && !step.quick;
  json["score"] = is_known ? result.score : 0;
  json["max_score"] = result.max_score;
  json["elapsed_ms"] = elapsed_ms;
  const std::optional<grader::Advice> advice = grader::advice_for(result);
  json["headline"] = advice ? advice->headline : headline_of(step);
  json["message"] = result.message;
  json["remarks"] = Json::array();
  if (advice)
    for (const grader::Remark& each : advice->remarks) json["remarks"].push_back(json_of(each));
  json["more_remarks"] = advice ? advice->more : 0;
  json["of_quiz"] = advice && advice->of_quiz;
  json["checks"] = Json::array();
  for (const grader::CheckResult& each : result.checks)
    json["checks"].push_back({{"id", each.id},
                              {"title", each.title},
                              {"status", grader::name(each.status)},
                              {"score", each.score},
                              {"max_score", each.max_score}});
  json["labs_passed"] = labs_passed;
  json["whose"] = is_known ? "yours" : "machine";
  return line(json);
}

}  // namespace histolab::web
