#include "grader/html/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/characters.h"

namespace histolab::grader {
namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";

std::string escaped(std::string_view text, bool for_attributes) {
  std::string out;
  for (const char c : shown_text(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>' && for_attributes)
      out += "&gt;";
    else if (c == '"' && for_attributes)
      out += "&quot;";
    else if (c == '\'' && for_attributes)
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto plain = [](char c) { return c >= ' ' && c <= '~'; };
    const auto end = std::ranges::find_if_not(text, plain);  // most text, in one step
    out.append(text.begin(), end);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    if (text.empty()) break;
    const auto [code, bytes] = first_character(text);
    if (bytes == 0 || is_control(code) || code == 0xFFFE || code == 0xFFFF)
      out += replacement;
    else if (turns_direction(code))
      out += fmt::format("[U+{:04X}]", static_cast<std::uint32_t>(code));
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

std::string escaped_html(std::string_view text) { return escaped(text, true); }
std::string escaped_content(std::string_view text) { return escaped(text, false); }

}  // namespace histolab::grader
