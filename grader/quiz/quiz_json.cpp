// load_quiz: quiz.json -> Quiz.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "grader/quiz/judge.h"
#include "grader/quiz/pose.h"
#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

using grader::ObjectReader;
using grader::Problems;
namespace fs = std::filesystem;

constexpr std::size_t max_questions = 50, max_draws = 1000, max_options = 8, max_variants = 16;
constexpr double max_tolerance = 0.1;

std::string quiz_file(const std::string& folder) { return folder + "/quiz.json"; }

bool is_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
         (text[0] < '0' || text[0] > '9');
}

bool is_id(const std::string& text) {
  return !text.empty() && text.size() <= 40 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

std::vector<Value> read_choices(const Json& json, const std::string& pointer, Problems& problems) {
  std::vector<Value> choices;
  if (json.is_object()) {
    ObjectReader reader{json, pointer, problems};
    const long long from = reader.integer("from", -1'000'000'000, 1'000'000'000),
                    to = reader.integer("to", from, 1'000'000'000),
                    step = reader.integer("step", 1, 1'000'000'000);
    reader.done();
    for (long long value = from; value <= to && choices.size() <= max_draws; value += step)
      choices.emplace_back(static_cast<double>(value));
  } else if (json.is_array()) {
    for (const Json& each : json) {
      if (each.is_number())
        choices.emplace_back(each.get<double>());
      else if (each.is_string() && !each.get_ref<const std::string&>().empty())
        choices.emplace_back(each.get<std::string>());
      else
        problems.add(fmt::format("{}/{}", pointer, choices.size()), "expected a number or a text");
    }
    if (std::any_of(choices.begin(), choices.end(),
                    [&](const Value& value) { return value.index() != choices.front().index(); }))
      problems.add(pointer, "expected numbers only or texts only");
  }
  if (choices.empty() || choices.size() > max_draws)
    problems.add(pointer, fmt::format("expected an array of 1 to {} values, or from, to and step",
                                      max_draws));
  return choices;
}

void read_draws(ObjectReader& reader, Question& question, Problems& problems) {
  std::set<std::string> names = {"answer", "device"};
  const auto add = [&](const std::string& key, const std::string& name) {
    if (!is_name(name))
      reader.problem(key + "/" + name, "a name consists of lower-case letters, digits and _");
    else if (!names.insert(name).second)
      reader.problem(key + "/" + name, fmt::format("the name \"{}\" is already used", name));
  };
  Names known;
  if (reader.has("draw"))
    for (const auto& item : reader.map("draw").items()) {
      add("draw", item.key());
      question.draw.emplace_back(
          item.key(), read_choices(item.value(), reader.at("draw/" + item.key()), problems));
      known[item.key()];
    }
  if (!reader.has("values")) return;
  std::vector<std::pair<std::string, Json>> open;
  for (const auto& item : reader.map("values").items()) {
    add("values", item.key());
    open.emplace_back(item.key(), item.value());
  }
  while (!open.empty()) {
    const auto next = std::find_if(open.begin(), open.end(), [&](const auto& each) {
      return can_be_evaluated(each.second, known);
    });
    if (next == open.end())
      return reader.problem("values/" + open.front().first, "uses an unknown name, or itself");
    known[next->first];
    question.values.push_back(*next);
    open.erase(next);
  }
}

void read_misconceptions(ObjectReader& reader, Question& question, Problems& problems) {
  for (const Json& item : reader.array("misconceptions", false)) {
    ObjectReader each{item,
                      reader.at(fmt::format("misconceptions/{}", question.misconceptions.size())),
                      problems};
    each.ignore("answer");
    if (!each.has("answer"))
      each.problem("answer", "is missing; expected a number, a name or a model");
    Misconception read{each.has("answer") ? item["answer"] : Json(0), each.text("why")};
    each.done();
    question.misconceptions.push_back(std::move(read));
  }
}

void read_computed(ObjectReader& reader, const Json& json, Question& question, Problems& problems) {
  if (Result<Unit> unit = read_unit(reader.text_or("unit", "")))
    question.unit = *unit;
  else
    reader.problem("unit", unit.error().message);
  if (question.kind == Question::Kind::number)
    question.tolerance = reader.number_or("tolerance", 0);
  if (question.tolerance > max_tolerance)
    reader.problem("tolerance", fmt::format("expected at most {}", max_tolerance));
  read_draws(reader, question, problems);
  if (!question.has_key) return;
  question.example = reader.text("example");
  reader.ignore("answer");
  question.answer = json.contains("answer") ? json["answer"] : Json{};
  if (!question.answer.is_object())
    reader.problem("answer", "expected a model: answers are computed, not typed in");
  read_misconceptions(reader, question, problems);
}

void read_choice(ObjectReader& reader, const Json& json, Question& question, Problems& problems) {
  question.shuffled = reader.boolean_or("shuffle", true);
  if (question.has_key) reader.ignore("answer");
  const bool measured = question.has_key && reader.has("answer");
  if (measured) question.answer = json["answer"];
  if (measured && !question.answer.is_object())
    reader.problem("answer", "expected a measurement: measured, highest or lowest, where");
  read_draws(reader, question, problems);
  for (const Json& item : reader.array("options", true)) {
    ObjectReader each{item, reader.at(fmt::format("options/{}", question.options.size())),
                      problems};
    Option option;
    option.text = each.text("text");
    if (!question.has_key) {
      each.done();
      question.options.push_back(std::move(option));
      continue;
    }
    option.right = each.boolean_or("right", false);
    if (!option.right)
      option.why = each.text("why");
    else if (each.has("why")) {
      each.ignore("why");
      each.problem("why", "the right option's reason is the question's `why`");
    }
    each.ignore("row");
    if (each.has("row") != measured)
      each.problem(
          "row", measured ? "is missing; expected the keys of this option's row in the measurements"
                          : "only a measured question has rows");
    if (each.has("row")) option.row = item["row"];
    if (each.has("row") && !option.row.is_object()) each.problem("row", "expected an object");
    each.done();
    question.options.push_back(std::move(option));
  }
  if (question.options.size() < 2 || question.options.size() > max_options)
    reader.problem("options", fmt::format("expected 2 to {} options", max_options));
  if (question.has_key && std::ranges::count(question.options, true, &Option::right) != 1)
    reader.problem("options", "exactly one option must be right");
}

Question read_alternative(const Json& item, const std::string& pointer, bool has_key,
                          Problems& problems) {
  using Kind = Question::Kind;
  ObjectReader reader{item, pointer, problems};
  Question question;
  question.has_key = has_key;
  question.id = reader.text("id");
  if (!question.id.empty() && !is_id(question.id))
    reader.problem("id", "an id consists of lower-case letters, digits and dashes, at most 40");
  question.kind = reader.choice<Kind>(
      "kind", {{"number", Kind::number}, {"set", Kind::set}, {"choice", Kind::choice}}, true);
  question.text = reader.text("text");
  if (has_key) question.why = reader.text("why");
  question.code = reader.words("code", false);
  if (item.is_object())
    question.kind == Kind::choice ? read_choice(reader, item, question, problems)
                                  : read_computed(reader, item, question, problems);
  reader.done();
  return question;
}

// Reads a question or a variant. A variant has the keys of its question and its own, and its own
// values. Only choices have variants, since numbers are drawn.
Question read_question(const Json& item, const std::string& pointer, bool has_key,
                       Problems& problems) {
  if (!item.is_object() || !item.contains("variants") || item.value("kind", Json{}) != "choice")
    return read_alternative(item, pointer, has_key, problems);
  const std::vector<Json> variants = ObjectReader{item, pointer, problems}.array("variants", true);
  for (const char* key : {"why", "options", "answer"})
    if (item.contains(key))
      problems.add(pointer + "/" + key,
                   "is a key of each variant, not of a question that has variants");
  Question question;
  if (variants.size() < 2 || variants.size() > max_variants)
    problems.add(pointer + "/variants", fmt::format("expected 2 to {} variants", max_variants));
  for (std::size_t i = 0; i < variants.size() && !problems.are_many(); ++i) {
    const std::string at = fmt::format("{}/variants/{}", pointer, i);
    if (!variants[i].is_object()) {
      problems.add(at, "expected an object");
      continue;
    }
    for (const char* key : {"id", "kind", "variants"})
      if (variants[i].contains(key))
        problems.add(at + "/" + key, "is a key of the question, not of a variant");
    Json whole = item;
    whole.erase("variants");
    whole.update(variants[i]);
    Question read = read_alternative(whole, at, has_key, problems);
    if (question.variants.empty()) question = read;
    question.variants.push_back(std::move(read));
  }
  return question;
}

// Checks that the right option is clearly the right one by the measurements.
void check_measured(const Quiz& quiz, const Question& question, const Posed& posed,
                    const std::string& pointer, Problems& problems) {
  constexpr double least_margin = 1.1;
  ObjectReader reader{question.answer, pointer + "/answer", problems};
  const std::string file = reader.text("measured");
  const bool highest = reader.has("highest");
  const std::string field = reader.text(highest ? "highest" : "lowest");
  const Json& where = reader.map("where");
  reader.done();
  if (file.empty() || field.empty()) return;
  if (const Result<std::string> device = quiz.measurements->device(file);
      device && posed.text.find(*device) == std::string::npos)
    problems.add(pointer + "/text", fmt::format("does not name the measured device: {}", *device));
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const std::string at = fmt::format("{}/options/{}/row", pointer, i);
    Json row = where;
    row.update(question.options[i].row);
    const std::optional<Value> value =
        evaluate({{"measured", file}, {"field", field}, {"where", row}}, at, {}, *quiz.measurements,
                 problems);
    if (!value) return;
    found.emplace_back(std::get<double>(*value), i);
  }
  std::sort(found.begin(), found.end());
  if (highest) std::reverse(found.begin(), found.end());
  const auto& [best, index] = found.front();
  const double second = found[1].first;
  if (!question.options[index].right)
    problems.add(pointer + "/options",
                 fmt::format("by the measurements \"{}\" is right", question.options[index].text));
  else if (std::max(best, second) < least_margin * std::min(best, second))
    problems.add(pointer + "/options",
                 fmt::format("the two best are too close for a question: {} and {}", written(best),
                             written(second)));
}

void check_computed(const Question& question, const Posed& posed, const std::string& pointer,
                    Problems& problems) {
  const std::string answer = posed.answer();
  if (judge(posed, question.example).standing != Standing::right)
    problems.add(pointer + "/example",
                 fmt::format("\"{}\" is not the answer; that is {}", question.example, answer));
  else if (judge(posed, answer).standing != Standing::right)
    problems.add(pointer + "/tolerance",
                 fmt::format("excludes the answer as it is written, with four digits: {}", answer));
  if (question.draw.empty() && posed.misconceptions.size() != question.misconceptions.size())
    problems.add(pointer + "/misconceptions", "one of them is the right answer");
  for (std::size_t i = 0; i < posed.misconceptions.size(); ++i) {
    if (posed.misconceptions[i].value.index() != posed.key.index())
      problems.add(fmt::format("{}/misconceptions/{}", pointer, i),
                   "is of a different kind than the answer");
    for (std::size_t j = 0; j < i; ++j)
      if (same(posed.misconceptions[i].value, posed.misconceptions[j].value, question.tolerance))
        problems.add(fmt::format("{}/misconceptions/{}", pointer, i),
                     fmt::format("gives the same answer as misconceptions/{}", j));
  }
}

// Options must have different texts, and no text may be a letter, because an answer may be the text
// of an option.
void check_options(const Posed& posed, const std::string& pointer, Problems& problems) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < posed.options.size(); ++i) {
    const std::string text = plain(posed.options[i].text);
    if (text.empty() || (text.size() == 1 && text[0] >= 'a' && text[0] <= 'z') ||
        text.size() > max_answer_bytes)
      problems.add(pointer + "/options",
                   fmt::format("\"{}\" cannot be an answer", posed.options[i].text));
    if (!texts.insert(text).second)
      problems.add(pointer + "/options",
                   fmt::format("two options are \"{}\"", posed.options[i].text));
  }
}

// The right words of one variant must not be right in another, or an answer that is passed on would
// be useful.
void check_variants(const std::vector<Posed>& variants, const std::string& pointer,
                    Problems& problems) {
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (const Option& option : variants[i].options)
      for (std::size_t j = 0; option.right && j < variants.size(); ++j)
        if (j != i && judge(variants[j], option.text).standing == Standing::right)
          problems.add(
              fmt::format("{}/variants/{}/options", pointer, i),
              fmt::format("the right option is right in variant {}, too: \"{}\"", j, option.text));
}

}  // namespace

std::string_view name(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::number: return "number";
    case Question::Kind::set: return "set";
    case Question::Kind::choice: return "choice";
  }
  return "";
}

const Question* Quiz::find(const std::string& id) const {
  const auto found = std::find_if(questions.begin(), questions.end(),
                                  [&](const Question& question) { return question.id == id; });
  return found == questions.end() ? nullptr : &*found;
}

bool has_quiz(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(quiz_file(folder), ignored);
}

Result<Quiz> load_quiz(const std::string& folder, const std::string& measurements) {
  Quiz quiz;
  quiz.file = quiz_file(folder);
  quiz.lab = fs::path(folder).filename().string();
  quiz.measurements = std::make_shared<Measurements>(measurements);
  Json json = TRY(grader::read_json_file(quiz.file, "quiz"));
  Problems problems{quiz.file};
  ObjectReader root{json, "", problems};
  const std::string schema = root.text("schema");
  quiz.has_key = schema != questions_schema;
  if (quiz.has_key && !schema.empty() && schema != "histolab/quiz/1")
    root.problem("schema", fmt::format("expected \"histolab/quiz/1\", found \"{}\"", schema));
  for (const Json& item : root.array("questions", true)) {
    const std::string pointer = fmt::format("/questions/{}", quiz.questions.size());
    Question question = read_question(item, pointer, quiz.has_key, problems);
    if (quiz.find(question.id) != nullptr)
      problems.add(pointer + "/id", fmt::format("two questions are called \"{}\"", question.id));
    quiz.questions.push_back(std::move(question));
  }
  if (quiz.questions.size() > max_questions)
    root.problem("questions", fmt::format("expected at most {}", max_questions));
  root.done();
  if (!problems.empty()) return problems.error();

  for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
    const Question& question = quiz.questions[i];
    Problems of_this{quiz.file};
    std::vector<Posed> variants;
    for (std::size_t v = 0; v < std::max<std::size_t>(question.variants.size(), 1); ++v) {
      const Question& each = question.variants.empty() ? question : question.variants[v];
      const std::string pointer = fmt::format("/questions/{}", i) +
                                  (question.variants.empty() ? "" : fmt::format("/variants/{}", v));
      std::optional<Posed> with_defaults = posed(quiz, each, {}, pointer, of_this);
      if (!with_defaults) break;
      const bool choice = question.kind == Question::Kind::choice;
      if (choice)
        check_options(*with_defaults, pointer, of_this);
      else if (quiz.has_key)
        check_computed(each, *with_defaults, pointer, of_this);
      if (choice && each.answer.is_object())
        check_measured(quiz, each, *with_defaults, pointer, of_this);
      variants.push_back(std::move(*with_defaults));
    }
    if (question.kind == Question::Kind::choice && of_this.empty())
      check_variants(variants, fmt::format("/questions/{}", i), of_this);
    if (!of_this.empty()) return of_this.error();
  }
  return quiz;
}

}  // namespace histolab::quiz
