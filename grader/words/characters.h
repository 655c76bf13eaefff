// Classifies the characters of untrusted UTF-8 text, such as those that change the writing
// direction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reference/utf8.h"

namespace histolab::grader {

using histolab::Character, histolab::first_character, histolab::is_control;

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
// True for the ASCII characters of a C++ identifier.
[[nodiscard]] inline bool is_word(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Converts ASCII letters to lower case.
[[nodiscard]] std::string lower(std::string_view text);

// True for characters that can make text look like other text: marks, embeddings, overrides and
// isolates of the writing direction.
[[nodiscard]] bool turns_direction(char32_t code);

}  // namespace histolab::grader
