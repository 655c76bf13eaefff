// Markup, and text that becomes part of it. Students' text is hostile: `html` escapes each value,
// so that none of it becomes markup or changes how the rest reads.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace histolab::grader {

// Returns the text escaped for an element's content and for a quoted attribute. Invalid UTF-8 and
// control characters, except newline and tab, become U+FFFD. Characters that change the direction
// of writing appear as their number, as in [U+202E].
[[nodiscard]] std::string escaped_html(std::string_view text);
// The same for an element's content only: keeps quotes and >, which makes a page of many sources a
// tenth smaller.
[[nodiscard]] std::string escaped_content(std::string_view text);

// Replaces the same characters without escaping: for formats that escape the text themselves. Also
// replaces characters that XML 1.0 forbids.
[[nodiscard]] std::string shown_text(std::string_view text);

class Html {
 public:
  Html() = default;
  explicit Html(std::string_view markup) : markup_(markup) {}  // not escaped
  [[nodiscard]] const std::string& markup() const { return markup_; }
  [[nodiscard]] bool empty() const { return markup_.empty(); }
  Html& operator+=(const Html& more) { return markup_ += more.markup_, *this; }
  friend Html operator+(Html first, const Html& second) { return std::move(first += second); }

 private:
  std::string markup_;
};

[[nodiscard]] inline std::string_view markup_of(const Html& html) { return html.markup(); }
[[nodiscard]] inline std::string markup_of(std::string_view text) { return escaped_html(text); }
template <typename Number>
requires(std::is_arithmetic_v<Number> && !std::same_as<Number, char>) [[nodiscard]] Number
    markup_of(Number number) {
  return number;
}
template <typename T>
using MarkupOf = decltype(markup_of(std::declval<const T&>()));

// Formats markup as fmt::format does, and escapes each value that is text. Values of type Html are
// inserted as they are.
template <typename... Values>
[[nodiscard]] Html html(fmt::format_string<MarkupOf<Values>...> form, const Values&... values) {
  return Html{fmt::format(form, markup_of(values)...)};
}

// Returns the lines between <!-- NAME --> and the next comment in a file of templates, as a format
// for `html`. A missing template is an error at compile time.
[[nodiscard]] consteval std::string_view piece(std::string_view file, std::string_view name) {
  constexpr std::string_view begin = "<!-- ", end = " -->\n";
  for (std::size_t at = file.find(begin); at != file.npos; at = file.find(begin, at + 1)) {
    std::string_view found = file.substr(at + begin.size());
    if (!found.starts_with(name) || !found.substr(name.size()).starts_with(end)) continue;
    found.remove_prefix(name.size() + end.size());
    return found.substr(0, found.find(begin));
  }
  throw "there is no template of this name";
}

}  // namespace histolab::grader
