#include "grader/lab/exported_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "grader/words/characters.h"

namespace histolab::grader {
namespace {

// The same text with what is in comments and literals blanked out, so that places stay the same.
std::string code_of(const std::string& source) {
  std::string code = source;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (std::size_t i = 0; i < source.size();) {
    std::size_t end = i + 1;
    if (source.compare(i, 2, "//") == 0) {
      end = std::min(source.find('\n', i), source.size());
      blank(i, end);
    } else if (source.compare(i, 2, "/*") == 0) {
      const std::size_t close = source.find("*/", i + 2);
      end = close == std::string::npos ? source.size() : close + 2;
      blank(i, end);
    } else if (source[i] == '"' || (source[i] == '\'' && (i == 0 || !is_word(source[i - 1])))) {  // 1'000 is a number
      while (end < source.size() && source[end] != source[i] && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, source.size());
      blank(i, end);
    }
    i = end;
  }
  return code;
}

struct Place {
  std::size_t begin = 0, end = 0;
};

// Where the value of a `__device__` variable stands: behind its `=`, before its `;` or `,`.
std::optional<Place> value_of(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    if ((at > 0 && is_word(code[at - 1])) || (at + name.size() < code.size() && is_word(code[at + name.size()]))) continue;
    const std::size_t before = code.find_last_of(";{}", at);
    const std::string_view declared = code.substr(before == std::string_view::npos ? 0 : before + 1, at - (before == std::string_view::npos ? 0 : before + 1));
    if (declared.find("__device__") == std::string_view::npos) continue;
    const std::size_t equals = code.find_first_not_of(" \t\n", at + name.size());
    if (equals == std::string_view::npos || code[equals] != '=') continue;
    const std::size_t end = code.find_first_of(";,", equals);
    if (end != std::string_view::npos) return Place{equals + 1, end};
  }
  return {};
}

}  // namespace

Result<std::string> with_export(const std::string& source, const std::string& name, std::uint32_t value) {
  const std::optional<Place> place = name.empty() ? std::nullopt : value_of(code_of(source), name);
  if (!place) return Error{fmt::format("the kernel exports no {0}: it needs a line like `extern \"C\" __device__ const unsigned int {0} = {1};`", name, value)};
  std::string changed = source;
  return changed.replace(place->begin, place->end - place->begin, fmt::format(" {}", value));
}

}  // namespace histolab::grader
