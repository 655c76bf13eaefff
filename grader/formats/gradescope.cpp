// Gradescope's results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/formats/formats.h"
#include "grader/html/html.h"
#include "grader/report/report_json.h"

namespace histolab::formats {
namespace {

using Json = nlohmann::ordered_json;

// `scored` is false if the total has no score: then no test may have one.
Json test_of(const batch::Mark& mark, const grader::CheckResult& check, const std::string& number,
             bool scored) {
  Json test;
  test["name"] = test_name(mark.result, check);
  test["number"] = number;
  if (scored) {
    test["score"] = grader::json_of(rounded(mark.weight * check.score));
    test["max_score"] = grader::json_of(rounded(mark.weight * check.max_score));
  }
  if (has_mark(mark.result.status))
    test["status"] = check.status == grader::CheckResult::Status::passed ? "passed" : "failed";
  test["output"] = describe(check);
  test["tags"] = {mark.result.lab};
  test["extra_data"] = {{"lab", mark.result.lab}, {"check", grader::shown_text(check.id)}};
  return test;
}

}  // namespace

std::string to_gradescope(const Graded& graded) {
  const std::optional<double> score = score_of(graded);
  Json json;
  if (score)
    // Overrides the sum of the tests' scores: it includes deductions for lateness.
    json["score"] = grader::json_of(*score);
  std::string output = score ? "" : std::string{no_score} + "\n\n";
  output += summary_of(graded);
  for (const batch::Mark& mark : graded.marks)
    if (!mark.result.diagnostics.empty()) output += "\n" + diagnostics_of(mark.result);
  json["output"] = output;
  for (const char* format : {"output_format", "test_output_format", "test_name_format"})
    json[format] = "text";
  json["stdout_visibility"] = "hidden";
  json["tests"] = Json::array();
  for (std::size_t lab = 0; lab < graded.marks.size(); ++lab) {
    const batch::Mark& mark = graded.marks[lab];
    for (std::size_t i = 0; i < mark.result.checks.size(); ++i)
      json["tests"].push_back(test_of(mark, mark.result.checks[i],
                                      fmt::format("{}.{}", lab + 1, i + 1),
                                      score.has_value() && has_mark(mark.result.status)));
  }
  return grader::text_of(json);
}

}  // namespace histolab::formats
