#include "grader/edition/questions.h"

#include <algorithm>
#include <set>
#include <vector>

#include "grader/files/json_reader.h"
#include "grader/files/sha256.h"
#include "grader/quiz/measured.h"

namespace histolab::edition {
namespace {

using Ordered = nlohmann::ordered_json;
using grader::Json;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// All texts that are shown, one behind another.
std::string shown_texts(const Json& part) {
  std::string texts;
  if (part.contains("text")) texts += part["text"].get<std::string>() + "\n";
  for (const char* key : {"code", "options", "variants"})
    for (const Json& each : part.value(key, Json::array()))
      texts += (each.is_string() ? each.get<std::string>() : shown_texts(each)) + "\n";
  return texts;
}

// The values that a shown text names, with those that they are computed from.
Ordered needed_values(const Json& values, const std::string& texts) {
  std::set<std::string> needed;
  std::string seen = texts;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, expression] : values.items()) {
      const bool in_text =
          texts.find("{" + name + "}") != texts.npos || texts.find("{" + name + ":") != texts.npos;
      if (!in_text && seen.find("\"" + name + "\"") == seen.npos) continue;
      if (!needed.insert(name).second) continue;
      seen += expression.dump();
      more = true;
    }
  }
  Ordered kept = Ordered::object();
  for (const auto& [name, expression] : values.items())
    if (needed.contains(name)) kept[name] = expression;
  return kept;
}

Ordered options_of(const Json& part, bool shuffled, const std::string& device) {
  std::vector<std::string> texts;
  for (const Json& option : part["options"])
    texts.push_back(replaced(option["text"].get<std::string>(), "{device}", device));
  if (shuffled)
    std::ranges::sort(texts, {}, [](const std::string& text) { return grader::sha256(text); });
  Ordered options = Ordered::array();
  for (const std::string& text : texts) options.push_back({{"text", text}});
  return options;
}

// A question or a variant. `whole`: the question with the variant's keys.
Result<Ordered> part_of(const Json& part, const Json& whole, quiz::Measurements& measurements) {
  std::string device = "{device}";
  if (const Json answer = whole.value("answer", Json{});
      answer.is_object() && answer.contains("measured")) {
    device = TRY(measurements.device(answer["measured"].get<std::string>()));
  }
  Ordered kept;
  for (const char* key : {"id", "kind"})
    if (part.contains(key)) kept[key] = part[key];
  if (part.contains("text"))
    kept["text"] = replaced(part["text"].get<std::string>(), "{device}", device);
  for (const char* key : {"unit", "code", "draw", "shuffle"})
    if (part.contains(key)) kept[key] = part[key];
  if (part.contains("values"))
    if (Ordered values = needed_values(part["values"], shown_texts(whole)); !values.empty())
      kept["values"] = std::move(values);
  if (part.contains("options"))
    kept["options"] = options_of(part, whole.value("shuffle", true), device);
  return kept;
}

}  // namespace

Result<nlohmann::ordered_json> questions_of(const std::string& lab_folder,
                                            const std::string& folder_of_measurements) {
  const quiz::Quiz quiz = TRY(quiz::load_quiz(lab_folder, folder_of_measurements));
  const Json json = TRY(grader::read_json_file(quiz.file, "quiz"));
  Ordered questions{{"schema", quiz::questions_schema}, {"questions", Ordered::array()}};
  for (const Json& question : json["questions"]) {
    Ordered kept = TRY(part_of(question, question, *quiz.measurements));
    for (const Json& variant : question.value("variants", Json::array())) {
      Json whole = question;
      whole.erase("variants");
      whole.update(variant);
      kept["variants"].push_back(TRY(part_of(variant, whole, *quiz.measurements)));
    }
    questions["questions"].push_back(std::move(kept));
  }
  return questions;
}

}  // namespace histolab::edition
