// Classroom 50's result.json: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/formats/formats.h"
#include "grader/html/html.h"
#include "grader/report/report_json.h"

namespace histolab::formats {
namespace {

using Json = nlohmann::ordered_json;

// "submit/2026-06-01T14-32-05Z-a1b2c3d" -> "2026-06-01T14:32:05Z"; empty if the tag has no time.
std::string time_in(const std::string& tag) {
  const std::string shape = "submit/dddd-dd-ddTdd-dd-ddZ";
  if (tag.size() < shape.size()) return {};
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' && i > 6 ? tag[i] < '0' || tag[i] > '9' : tag[i] != shape[i]) return {};
  std::string time = tag.substr(7, 20);
  time[13] = time[16] = ':';
  return time;
}

}  // namespace

Result<Classroom50> classroom50_of(const std::map<std::string, std::string>& environment,
                                   const std::string& now) {
  std::vector<std::string> missing;
  const auto value = [&](const char* name, bool required = true) {
    const auto found = environment.find(name);
    const bool there = found != environment.end() && !found->second.empty();
    if (!there && required) missing.emplace_back(name);
    return there ? grader::shown_text(found->second) : std::string{};
  };
  Classroom50 where;
  where.classroom = value("CLASSROOM"), where.assignment = value("ASSIGNMENT"),
  where.submission = value("SUBMISSION_TAG");
  where.commit = value("COMMIT_URL"), where.release = value("RELEASE_URL"),
  where.review = value("REVIEW_URL", false);
  where.owner = value("OWNER", false);
  if (where.owner.empty()) where.owner = value("USERNAME");
  where.assignment_type = value("ASSIGNMENT_TYPE", false);
  if (!missing.empty())
    return Error{fmt::format(
        "the format classroom50 is for an autograder of Classroom 50, whose runner sets "
        "environment variables; not set: {}",
        fmt::join(missing, ", "))};
  if (!where.submission.starts_with("submit/"))
    return Error{fmt::format("SUBMISSION_TAG is \"{}\"; Classroom 50's begin with submit/",
                             where.submission)};
  if (where.review.empty()) where.review = where.commit;
  if (where.assignment_type.empty()) where.assignment_type = "individual";
  where.datetime = time_in(where.submission);
  if (where.datetime.empty()) where.datetime = now;
  return where;
}

Result<std::string> to_classroom50(const Graded& graded, const Classroom50& where) {
  const std::optional<double> score = score_of(graded);
  if (!score) return Error{fmt::format("{} {}", no_score, grader::shown_text(summary_of(graded)))};
  Json json{{"schema", "classroom50/result/v1"},
            {"classroom", where.classroom},
            {"assignment", where.assignment},
            {"assignment_type", where.assignment_type},
            {"owner", where.owner},
            {"submission", where.submission},
            {"commit", where.commit},
            {"release", where.release},
            {"review", where.review},
            {"datetime", where.datetime}};
  json["score"] = static_cast<int>(std::floor(*score));  // the format has only whole points
  json["max-score"] = static_cast<int>(std::ceil(max_score_of(graded)));
  json["tests"] = Json::array();
  for (const batch::Mark& mark : graded.marks)
    for (const grader::CheckResult& check : mark.result.checks)
      json["tests"].push_back({{"test-name", test_name(mark.result, check)},
                               {"passed", check.status == grader::CheckResult::Status::passed},
                               {"score", check.score},
                               {"max-score", check.max_score},
                               {"message", describe(check)}});
  return grader::text_of(json);
}

}  // namespace histolab::formats
