// Value: the value of a lesson's placeholder, and its formatting.
//
// A value is a text, or one or more numbers. Several numbers become neighbouring cells of a table.
// Only numbers have a Format.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::grader::lessons {

struct Value {
  std::vector<double> numbers;  // empty for a text
  std::string text;

  [[nodiscard]] bool is_text() const { return numbers.empty(); }
};

struct Format {
  enum class Kind {
    natural,   // whole numbers in full, others with 2 digits
    digits,    // at least this many significant digits; the whole part is always complete
    decimals,  // this many decimals
    about,     // rounded to this many significant digits, filled up with zeros
    whole,     // no decimals, groups of three digits
    percent,   // of a share: 0.153 is "15 %"; with this many digits
    times,     // "58 times"; with this many digits
  };
  Kind kind = Kind::natural;
  int places = 2;
};

// Parses the words after `as`: "3 digits", "1 decimals", "about 2", "whole", "percent", "3
// percent", "times" or "3 times". Returns an Error for other words.
[[nodiscard]] Result<Format> parse_format(std::span<const std::string> words);

// Joins cells with " | ". Returns an Error for a format of a text, or a number that is not finite.
[[nodiscard]] Result<std::string> to_text(const Value& value, const std::optional<Format>& format);

// Parses "16", "1.98" or "2^28". Returns nullopt if the word is not a number.
[[nodiscard]] std::optional<double> parse_number(const std::string& word);

}  // namespace histolab::grader::lessons
