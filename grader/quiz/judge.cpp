#include "grader/quiz/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

// mutant 9 -> 10: both values are far above rounding errors of a double and far below any typed
// number
constexpr double least_tolerance = 1e-9;
constexpr double near_by = 0.05;

bool close(double value, double key, double tolerance) {
  return std::abs(value - key) <=
         std::max(tolerance, least_tolerance) * std::max(std::abs(key), key == 0 ? 1.0 : 0.0);
}

bool includes(const Numbers& all, const Numbers& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Judgement answered() { return {Standing::answered, "Saved. Your instructor's kit judges it."}; }

Judgement wrong(const Posed& question, const std::vector<Value>& readings,
                const std::string& otherwise) {
  for (const Posed::Wrong& known : question.misconceptions)
    for (const Value& reading : readings)
      if (same(reading, known.value, question.question->tolerance))
        return {Standing::wrong, known.why};
  return {Standing::wrong, otherwise};
}

Judgement judge_number(const Posed& question, const std::string& answer) {
  const Result<std::vector<double>> read = read_quantity(answer, question.question->unit);
  if (!read) return {Standing::not_understood, read.error().message};
  if (!question.question->has_key) return answered();
  const std::vector<Value> readings(read->begin(), read->end());
  const double tolerance = question.question->tolerance;
  const auto is_right = [&](const Value& reading) {
    return same(reading, question.key, tolerance);
  };
  if (std::any_of(readings.begin(), readings.end(), is_right))
    return {Standing::right, question.why};
  const bool near =
      tolerance > 0 && std::any_of(readings.begin(), readings.end(), [&](const Value& reading) {
        return same(reading, question.key, near_by);
      });
  return wrong(question, readings,
               near ? "This is close, but not close enough: was something rounded too early? Three "
                      "digits are enough."
                    : "That is not it.");
}

Judgement judge_set(const Posed& question, const std::string& answer) {
  const Result<std::vector<double>> read = read_numbers(answer);
  if (!read) return {Standing::not_understood, read.error().message};
  if (!question.question->has_key) return answered();
  if (same(*read, question.key, 0)) return {Standing::right, question.why};
  const Numbers& key = std::get<Numbers>(question.key);
  if (includes(key, *read))
    return wrong(question, {*read}, "These are right, but some are missing.");
  if (includes(*read, key)) return wrong(question, {*read}, "Some of these are wrong.");
  return wrong(question, {*read}, "That is not it.");
}

// Returns the option with this letter or text, or null.
const Option* find_option(const Posed& question, const std::string& answer) {
  const std::string word = plain(answer);
  if (word.size() == 1 && word[0] >= 'a' &&
      static_cast<std::size_t>(word[0] - 'a') < question.options.size())
    return &question.options[static_cast<std::size_t>(word[0] - 'a')];
  const auto named = std::ranges::find(question.options, word,
                                       [](const Option& option) { return plain(option.text); });
  return named == question.options.end() ? nullptr : &*named;
}

Judgement judge_choice(const Posed& question, const std::string& answer) {
  const Option* const taken = find_option(question, answer);
  if (taken == nullptr)
    return {Standing::not_understood,
            fmt::format("expected a letter from a to {}",
                        static_cast<char>('a' + static_cast<char>(question.options.size()) - 1))};
  if (!question.question->has_key) return answered();
  if (taken->right) return {Standing::right, question.why};
  return {Standing::wrong, taken->why};
}

}  // namespace

std::string plain(const std::string& text) {
  std::string kept;
  for (const char c : text)
    if (std::string_view{" \t().`"}.find(c) == std::string_view::npos)
      kept += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return kept;
}

std::string stored_answer(const Posed& question, const std::string& answer) {
  if (question.question->has_key || question.question->kind != Question::Kind::choice)
    return answer;
  const Option* const taken = find_option(question, answer);
  return taken == nullptr ? answer : taken->text;
}

bool same(const Value& a, const Value& key, double tolerance) {
  if (a.index() != key.index()) return false;
  if (const double* number = std::get_if<double>(&a))
    return close(*number, std::get<double>(key), tolerance);
  const Numbers *some = std::get_if<Numbers>(&a), *others = std::get_if<Numbers>(&key);
  if (some == nullptr) return a == key;
  return std::equal(some->begin(), some->end(), others->begin(), others->end(),
                    [](double x, double y) { return close(x, y, 0); });
}

Judgement judge(const Posed& question, const std::string& answer) {
  if (answer.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  if (answer.size() > max_answer_bytes)
    return {Standing::not_understood,
            fmt::format("an answer may have at most {} bytes", max_answer_bytes)};
  switch (question.question->kind) {
    case Question::Kind::number: return judge_number(question, answer);
    case Question::Kind::set: return judge_set(question, answer);
    case Question::Kind::choice: return judge_choice(question, answer);
  }
  return {};
}

}  // namespace histolab::quiz
