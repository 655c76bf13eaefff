// Expression: what stands between {{ and }}, taken apart but not yet looked up.
//
//   let NAME = EXPRESSION              a name for the rest of the page
//   OPERAND                            "measured h200-lessons kernel=race dataset=english speed",
//   "race dataset=runs" OPERAND / OPERAND ... as FORMAT    + - * /, the usual order of operations,
//   no brackets
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
  std::string name;             // of a `let`; else empty
  std::vector<Words> operands;  // one at least, none of them empty
  std::string operators;        // between them: one less
  std::optional<Format> format;
};

// `text` is what stands between the braces. A word in double quotes may hold blanks:
// strategy="copies, 32 copies".
[[nodiscard]] Result<Expression> parse_expression(std::string_view text);

// KEY=VALUE, KEY=VALUE,VALUE: what a row has to have. Several values: one result for each, in their
// order.
struct Condition {
  std::string key;
  std::vector<std::string> values;
};
// nullopt: the word is no condition. A value in double quotes is one value, commas and all.
[[nodiscard]] std::optional<Condition> parse_condition(const std::string& word);

}  // namespace histolab::grader::lessons
