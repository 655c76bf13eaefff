// Value: what a placeholder of a lesson stands for, and how it is written.
//
// Numbers, one or several (several become neighbouring cells of a table), or text. A Format belongs
// to numbers only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::grader::lessons {

struct Value {
  std::vector<double> numbers;  // empty: it is text
  std::string text;

  [[nodiscard]] bool is_text() const { return numbers.empty(); }
};

struct Format {
  enum class Kind {
    natural,   // a whole number in full, any other as 2 digits
    digits,    // so many significant digits at least; never fewer than the whole part has
    decimals,  // so many behind the point
    about,     // rounded to so many significant digits, zeros behind them
    whole,     // no decimals, groups of three
    percent,   // of a share: 0.153 is "15 %"; so many digits
    times,     // "58 times"; so many digits
  };
  Kind kind = Kind::natural;
  int places = 2;
};

// "3 digits", "1 decimals", "about 2", "whole", "percent", "3 percent", "times", "3 times": what
// stands behind `as`. Error: none of these.
[[nodiscard]] Result<Format> parse_format(std::span<const std::string> words);

// Cells are joined by " | ". Error: a format for text; a number that is not finite.
[[nodiscard]] Result<std::string> to_text(const Value& value, const std::optional<Format>& format);

// "16", "1.98", "2^28". nullopt: no number.
[[nodiscard]] std::optional<double> parse_number(const std::string& word);

}  // namespace histolab::grader::lessons
