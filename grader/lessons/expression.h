// Expression: the parsed text of a placeholder, {{...}}. Its values are looked up later.
//
//   let NAME = EXPRESSION               names a value for the rest of the page
//   OPERAND / OPERAND ... as FORMAT     + - * / with the usual precedence, without brackets
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/value.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

using Words = std::vector<std::string>;

struct Expression {
  std::string name;             // name of a `let`; otherwise empty
  std::vector<Words> operands;  // at least one; none is empty
  std::string operators;        // between the operands: one less than there are operands
  std::optional<Format> format;
};

// Parses the text between the braces. A word in double quotes may contain blanks: strategy="copies,
// 32 copies".
[[nodiscard]] Result<Expression> parse_expression(std::string_view text);

// KEY=VALUE or KEY=VALUE,VALUE: required values of a row. Several values give one result each, in
// their order.
struct Condition {
  std::string key;
  std::vector<std::string> values;
};
// Returns nullopt if the word is not a condition. Double quotes make a single value, even with
// commas.
[[nodiscard]] std::optional<Condition> parse_condition(const std::string& word);

}  // namespace histolab::grader::lessons
