// Exercism's results.json, version 3:
// https://exercism.org/docs/building/tooling/test-runners/interface
#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/formats/formats.h"
#include "grader/html/html.h"
#include "grader/report/report_json.h"

namespace histolab::formats {
namespace {

using Json = nlohmann::ordered_json;
using Status = grader::CheckResult::Status;

constexpr std::size_t most_output = 500,  // characters
    most_message = 65'535;                // bytes

const char* status_of(const batch::Mark& mark, const grader::CheckResult& check) {
  if (!has_mark(mark.result.status) || check.status == Status::not_run) return "error";
  return check.status == Status::passed ? "pass" : "fail";
}

std::string message(const std::string& text) {
  std::size_t most = most_message;
  std::string out = text;
  while (out.size() > most_message) out = cut(text, most = most * 3 / 4);
  return out;
}

std::string whole_message(const Graded& graded) {
  std::string text;
  if (!score_of(graded)) text += std::string{no_score} + "\n";
  text += summary_of(graded);
  for (const batch::Mark& mark : graded.marks) text += diagnostics_of(mark.result);
  return message(text);
}

}  // namespace

std::string to_exercism(const Graded& graded) {
  Json tests = Json::array();
  bool all_passed = true, all_errors = true;
  for (std::size_t lab = 0; lab < graded.marks.size(); ++lab) {
    const batch::Mark& mark = graded.marks[lab];
    const std::string printed = printed_by(mark.result);
    for (const grader::CheckResult& check : mark.result.checks) {
      const std::string status = status_of(mark, check);
      all_passed = all_passed && status == "pass";
      all_errors = all_errors && status == "error";
      Json test{{"name", test_name(mark.result, check)}, {"status", status}};
      test["message"] = status == "pass" ? Json(nullptr) : Json(message(describe(check)));
      test["output"] = printed.empty()
                           ? Json(nullptr)
                           : Json(cut(printed, most_output,
                                      "\nOutput was truncated. Please limit to 500 chars"));
      test["test_code"] =
          "histolab grade " + mark.result.lab + "  # " + grader::shown_text(check.id);
      if (graded.marks.size() > 1) test["task_id"] = lab + 1;
      tests.push_back(std::move(test));
    }
  }
  // Without a score the status is an error: `fail` would be a verdict.
  const bool error = all_errors || !score_of(graded);
  const char* const verdict = all_passed ? "pass" : "fail";
  Json json{{"version", 3}, {"status", error ? "error" : verdict}};
  json["message"] = error ? Json(whole_message(graded)) : Json(nullptr);
  json["tests"] = std::move(tests);
  return grader::text_of(json);
}

}  // namespace histolab::formats
