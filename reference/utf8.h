// UTF-8 text from an untrusted source: reads one character at a time, and cuts between characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace histolab {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0 if the text is not UTF-8
};

// Returns the first character. `text` must not be empty.
[[nodiscard]] constexpr Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

// Returns true for characters that may control a terminal: C0 except newline and tab, DEL, C1.
[[nodiscard]] constexpr bool is_control(char32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
}

// Returns the longest prefix of at most `most` bytes that ends with a complete character. Text that
// is not UTF-8 may be cut anywhere.
[[nodiscard]] constexpr std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u;
  };
  constexpr std::size_t most_continuations = 3;
  std::size_t end = most;
  while (end > 0 && most - end < most_continuations && continues(end)) --end;
  return text.substr(0, continues(end) ? most : end);
}

}  // namespace histolab
