#include "grader/lessons/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace histolab::grader::lessons {
namespace {

Result<Words> words_of(std::string_view text) {
  Words words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (quoted) return Error{"a closing \" is missing"};
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool is_operator(const std::string& word) {
  return word.size() == 1 && std::string_view{"+-*/"}.find(word[0]) != std::string_view::npos;
}

bool is_name(const std::string& word) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  };
  return !word.empty() && (word[0] < '0' || word[0] > '9') && word[0] != '-' &&
         std::all_of(word.begin(), word.end(), fits);
}

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
  Words words = TRY(words_of(text));
  Expression expression;
  std::span<const std::string> rest{words};
  if (!rest.empty() && rest[0] == "let") {
    if (rest.size() < 4 || rest[2] != "=") return Error{"expected \"let NAME = ...\""};
    expression.name = rest[1];
    if (!is_name(expression.name))
      return Error{
          fmt::format("\"{}\" is not a valid name: use letters, digits, '.', '-' and '_', and "
                      "begin with a letter",
                      expression.name)};
    rest = rest.subspan(3);
  }
  if (!rest.empty() &&
      // Any words are allowed: the author vouches for them.
      rest[0] == "given") {
    expression.operands.emplace_back(rest.begin(), rest.end());
    return expression;
  }
  if (const auto as = std::find(rest.begin(), rest.end(), "as"); as != rest.end()) {
    Format format =
        TRY(parse_format(rest.subspan(static_cast<std::size_t>(as - rest.begin()) + 1)));
    if (!expression.name.empty())
      return Error{"a `let` has no format; use one where the value is shown"};
    expression.format = format;
    rest = rest.first(static_cast<std::size_t>(as - rest.begin()));
  }
  expression.operands.emplace_back();
  for (const std::string& word : rest) {
    if (is_operator(word)) {
      expression.operators += word;
      expression.operands.emplace_back();
    } else {
      expression.operands.back().push_back(word);
    }
  }
  for (const Words& operand : expression.operands)
    if (operand.empty())
      return Error{expression.operators.empty() ? "there is nothing between the braces"
                                                : "an operator lacks an operand"};
  return expression;
}

std::optional<Condition> parse_condition(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  Condition condition{word.substr(0, equals), {}};
  std::string value = word.substr(equals + 1);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    condition.values.push_back(value.substr(1, value.size() - 2));
    return condition;
  }
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    condition.values.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return condition;
}

}  // namespace histolab::grader::lessons
