// Characters of UTF-8 text that may be a stranger's, one at a time, and those among them that do
// more than stand there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reference/utf8.h"

namespace histolab::grader {

using histolab::Character, histolab::first_character, histolab::is_control;

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Of a name in C++, but for letters that are not ASCII.
[[nodiscard]] inline bool is_word(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// With small letters in place of capital ones, of ASCII alone.
[[nodiscard]] std::string lower(std::string_view text);

// What makes text look like other text: marks, embeddings, overrides and isolates of the direction
// of writing.
[[nodiscard]] bool turns_direction(char32_t code);

}  // namespace histolab::grader
