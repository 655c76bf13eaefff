#include "grader/quiz/pose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "grader/files/sha256.h"
#include "grader/quiz/judge.h"
#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

using grader::Problems;

constexpr std::size_t code_columns =
    36;                             // fits a terminal of 40 columns, including its indentation
constexpr int key_rounds = 10'000;  // docs/quizzes.md gives their cost

// Returns the key of all draws for one person. It is deliberately slow to compute: a search for a
// seed that fits known answers must pay this price for each try. Recent keys are cached.
std::string key_of(const Person& person) {
  static std::mutex busy;
  static std::map<std::pair<std::string, std::uint64_t>, std::string> cached;
  const std::pair who{person.student, person.seed};
  {
    const std::lock_guard lock{busy};
    if (const auto known = cached.find(who); known != cached.end()) return known->second;
  }
  const std::string name = grader::sha256(person.student);
  std::string key = std::to_string(person.seed);
  for (int round = 0; round < key_rounds; ++round) key = grader::sha256(key + name);
  const std::lock_guard lock{busy};
  if (cached.size() >= 4096) cached.clear();
  return cached[who] = key;
}

// Returns a number that depends on the person and on `what`. Names of draws contain no blanks, so
// callers may use other words with blanks in `what`.
std::uint64_t draw(const Quiz& quiz, const Question& question, const Person& person,
                   const std::string& what) {
  const std::string hash =
      grader::sha256(fmt::format("{}/{}/{}/{}", key_of(person), quiz.lab, question.id, what));
  return std::strtoull(hash.substr(0, 16).c_str(), nullptr, 16);
}

std::string shown(const Value& value, const Unit& unit) {
  if (const double* number = std::get_if<double>(&value)) return written(*number, unit);
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  std::string list;
  for (const double each : std::get<Numbers>(value))
    list += (list.empty() ? "" : " ") + written(each);
  return list;
}

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// Inserts values for "{name}" and "{name:unit}". Other braces are unchanged. Numbers in code have
// no digit groups.
std::string filled(const std::string& text, const Names& names, const Unit& unit_of_answer,
                   bool in_code, const std::string& pointer, Problems& problems) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (text[at] == '{' && end < text.size() && is_name(text[end])) ++end;
    const bool placeholder = text[at] == '{' && end > at + 1 && end < text.size() &&
                             (text[end] == '}' || text[end] == ':');
    const std::size_t close = placeholder ? text.find('}', end) : std::string::npos;
    if (close == std::string::npos) {
      out += text[at++];
      continue;
    }
    const std::string name = text.substr(at + 1, end - at - 1);
    const auto found = names.find(name);
    Unit unit = name == "answer" ? unit_of_answer : Unit{};
    if (text[end] == ':') {
      if (Result<Unit> read = read_unit(text.substr(end + 1, close - end - 1)))
        unit = *read;
      else
        problems.add(pointer,
                     fmt::format("{}: {}", text.substr(at, close + 1 - at), read.error().message));
    }
    if (found == names.end())
      problems.add(pointer, fmt::format("{{{}}}: \"{}\" is not defined here", name, name));
    else if (in_code && std::holds_alternative<double>(found->second))
      out += fmt::format("{}", std::get<double>(found->second));
    else
      out += shown(found->second, unit);
    at = close + 1;
  }
  return out;
}

Names names_for(const Quiz& quiz, const Question& question, const Person& person,
                const std::string& pointer, Problems& problems) {
  Names names;
  for (const auto& [drawn, choices] : question.draw)
    names[drawn] =
        choices[person.has_defaults() ? 0 : draw(quiz, question, person, drawn) % choices.size()];
  for (const auto& [computed, expression] : question.values)
    if (std::optional<Value> value = evaluate(expression, pointer + "/values/" + computed, names,
                                              *quiz.measurements, problems))
      names[computed] = std::move(*value);
  if (question.answer.is_object() && question.answer.contains("measured") &&
      question.answer["measured"].is_string()) {
    if (Result<std::string> device =
            quiz.measurements->device(question.answer["measured"].get<std::string>()))
      names["device"] = *device;
    else
      problems.add(pointer + "/answer/measured", device.error().message);
  }
  return names;
}

void pose_options(Posed& posed, const Quiz& quiz, const Question& question, const Person& person,
                  const Names& names, const std::string& pointer, Problems& problems) {
  std::vector<std::pair<std::uint64_t, Option>> order;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    Option option = question.options[i];
    const std::string at = fmt::format("{}/options/{}", pointer, i);
    option.text = filled(option.text, names, {}, false, at + "/text", problems);
    option.why = filled(option.why, names, {}, false, at + "/why", problems);
    order.emplace_back(
        question.shuffled ? draw(quiz, question, person, fmt::format("option {}", i)) : i,
        std::move(option));
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [place, option] : order) posed.options.push_back(std::move(option));
}

}  // namespace

std::string Posed::answer() const {
  if (question->kind != Question::Kind::choice) return shown(key, question->unit);
  const auto right = std::find_if(options.begin(), options.end(),
                                  [](const Option& option) { return option.right; });
  return std::string(1, static_cast<char>('a' + (right - options.begin())));
}

std::optional<Posed> posed(const Quiz& quiz, const Question& question, const Person& person,
                           const std::string& pointer, Problems& problems) {
  Posed result;
  result.question = &question;
  Names names = names_for(quiz, question, person, pointer, problems);
  result.text = filled(question.text, names, {}, false, pointer + "/text", problems);
  for (std::size_t i = 0; i < question.code.size(); ++i) {
    const std::string at = fmt::format("{}/code/{}", pointer, i);
    result.code.push_back(filled(question.code[i], names, {}, true, at, problems));
    if (grader::columns(result.code.back()) > code_columns)
      problems.add(at, fmt::format("a line of code may have at most {} columns", code_columns));
  }
  bool computed = true;
  if (question.kind == Question::Kind::choice) {
    pose_options(result, quiz, question, person, names, pointer, problems);
  } else if (question.has_key) {
    std::optional<Value> key =
        evaluate(question.answer, pointer + "/answer", names, *quiz.measurements, problems);
    const bool fits =
        key && (question.kind == Question::Kind::number ? std::holds_alternative<double>(*key)
                                                        : std::holds_alternative<Numbers>(*key));
    if (key && !fits)
      problems.add(pointer + "/answer", question.kind == Question::Kind::number
                                            ? "is not a number"
                                            : "is not a set of numbers");
    computed = fits;
    if (fits) result.key = std::move(*key);
  }
  Names with_answer = names;
  if (computed && question.has_key && question.kind != Question::Kind::choice)
    with_answer["answer"] = result.key;
  for (std::size_t i = 0; computed && i < question.misconceptions.size(); ++i) {
    const std::string at = fmt::format("{}/misconceptions/{}", pointer, i);
    std::optional<Value> value = evaluate(question.misconceptions[i].answer, at + "/answer",
                                          with_answer, *quiz.measurements, problems);
    // The explanations must not contain the answer.
    const std::string why =
        filled(question.misconceptions[i].why, names, {}, false, at + "/why", problems);
    if (value && !same(*value, result.key, question.tolerance))
      result.misconceptions.push_back({std::move(*value), why});
  }
  result.why = filled(question.why, with_answer, question.unit, false, pointer + "/why", problems);
  return problems.empty() ? std::optional{std::move(result)} : std::nullopt;
}

Result<Posed> pose(const Quiz& quiz, const Question& question, const Person& person) {
  Problems problems{quiz.file};
  const auto index = static_cast<std::size_t>(&question - quiz.questions.data());
  const std::size_t count = question.variants.size();
  const std::size_t drawn =
      count == 0 || person.has_defaults() ? 0 : draw(quiz, question, person, "the variant") % count;
  const std::string pointer =
      fmt::format("/questions/{}", index) + (count == 0 ? "" : fmt::format("/variants/{}", drawn));
  std::optional<Posed> result =
      posed(quiz, count == 0 ? question : question.variants[drawn], person, pointer, problems);
  if (!result) return problems.error();
  return std::move(*result);
}

Status check_drawn_questions(const Quiz& quiz) {
  constexpr int people = 64;
  for (const Question& question : quiz.questions) {
    const std::vector<Question> all =
        question.variants.empty() ? std::vector{question} : question.variants;
    for (const Question& each : all) {
      std::size_t most_misconceptions = 0;
      for (int number = 0; number <= people; ++number) {
        const Person person = number == 0 ? Person{}
                                          : Person{fmt::format("student {}", number),
                                                   static_cast<std::uint64_t>(number)};
        Problems problems{quiz.file};
        const std::optional<Posed> result =
            posed(quiz, each, person, "question " + question.id, problems);
        if (!result) return problems.error();
        if (const Judgement judged = judge(*result, result->answer());
            judged.standing != Standing::right)
          return Error{fmt::format(
              "{}: question {}: for {} the computed answer {} is not judged right: {}", quiz.file,
              question.id,
              number == 0 ? "the default numbers"
                          : fmt::format("\"{}\" with seed {}", person.student, person.seed),
              result->answer(), judged.message)};
        most_misconceptions = std::max(most_misconceptions, result->misconceptions.size());
      }
      if (most_misconceptions < each.misconceptions.size())
        return Error{
            fmt::format("{}: question {}: the answer of a misconception is always the right one",
                        quiz.file, question.id)};
    }
  }
  return Done{};
}

}  // namespace histolab::quiz
