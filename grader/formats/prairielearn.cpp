// PrairieLearn's results.json of an external grader: https://docs.prairielearn.com/externalGrading/
#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/formats/formats.h"
#include "grader/report/report_json.h"

namespace histolab::formats {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bytes = 1'000'000;  // PrairieLearn's limit is 1 MB

// An answer that is not gradable costs no attempt.
Json not_gradable(const std::string& why, const std::string& message, std::size_t most) {
  return {{"gradable", false},
          {"format_errors", Json::array({cut(why, most)})},
          {"message", cut(message, most)}};
}

Json results(const Graded& graded, std::size_t most) {
  const std::optional<double> score = score_of(graded);
  if (!score) return not_gradable(no_score, summary_of(graded), most);
  const auto broken = [](const batch::Mark& mark) {
    return mark.result.status == grader::Verdict::compile_error && !mark.by_hand;
  };
  if (!graded.marks.empty() && std::all_of(graded.marks.begin(), graded.marks.end(), broken)) {
    std::string why;
    for (const batch::Mark& mark : graded.marks) why += diagnostics_of(mark.result);
    return not_gradable(why, summary_of(graded), most);
  }
  const double max_score = max_score_of(graded);
  Json json;
  json["gradable"] = true;
  json["score"] = max_score == 0 ? 0.0 : *score / max_score;
  json["message"] = cut(summary_of(graded), most);
  std::string output;
  for (const batch::Mark& mark : graded.marks)
    output += diagnostics_of(mark.result) + printed_by(mark.result);
  json["output"] = cut(output, most);
  json["tests"] = Json::array();
  for (const batch::Mark& mark : graded.marks)
    for (const grader::CheckResult& check : mark.result.checks)
      json["tests"].push_back({{"name", cut(test_name(mark.result, check), most)},
                               {"points", check.score},
                               {"max_points", check.max_score},
                               {"message", cut(describe(check), most)}});
  return json;
}

}  // namespace

std::string to_prairielearn(const Graded& graded) {
  std::string text;
  for (const std::size_t most : {65'536u, 8'192u, 1'024u, 128u}) {
    text = grader::text_of(results(graded, most));
    if (text.size() <= most_bytes) break;
  }
  return text;
}

}  // namespace histolab::formats
