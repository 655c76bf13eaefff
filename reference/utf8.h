// Text that may be a stranger's, cut between two characters of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace histolab {

// The longest beginning of at most `most` bytes that ends with a whole character. What is no UTF-8 is cut anywhere.
[[nodiscard]] constexpr std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u; };
  constexpr std::size_t most_continuations = 3;
  std::size_t end = most;
  while (end > 0 && most - end < most_continuations && continues(end)) --end;
  return text.substr(0, continues(end) ? most : end);
}

}  // namespace histolab
