#include "kernels/program/state/result_use.h"

#include <algorithm>
#include <cctype>

namespace histolab::kernels::program {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view without_blanks_behind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Returns whether a statement may begin after this text.
bool ends_statement(std::string_view text) {
  return text.ends_with(';') || text.ends_with('{') || text.ends_with('}') ||
         text.ends_with("else") || text.ends_with("*/");
}

}  // namespace

std::optional<bool> uses_result(std::string_view previous, std::string_view line,
                                std::string_view function) {
  std::size_t at = line.find(function);
  while (at != std::string_view::npos &&
         ((at > 0 && is_word(line[at - 1])) ||
          (at + function.size() < line.size() && is_word(line[at + function.size()]))))
    at = line.find(function, at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view before = line.substr(0, at);
  if (before.ends_with("::")) before.remove_suffix(2);
  before = without_blanks_behind(before);
  if (!before.empty()) return !ends_statement(before);
  previous = without_blanks_behind(previous.substr(0, previous.find("//")));
  if (previous.empty() || previous.starts_with('#') || ends_statement(previous)) return false;
  return std::nullopt;
}

std::string result_variable(std::string_view line, std::string_view function) {
  const std::size_t at = line.find(function);
  if (at == std::string_view::npos ||
      line.find(function, at + function.size()) != std::string_view::npos)
    return {};
  std::string_view argument = line.substr(at + function.size());
  argument = argument.substr(0, argument.find(','));
  const std::size_t ampersand = argument.rfind('&');
  if (ampersand == std::string_view::npos) return {};
  argument.remove_prefix(ampersand + 1);
  while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
  while (!argument.empty() && argument.back() == ' ') argument.remove_suffix(1);
  return std::ranges::all_of(argument, is_word) ? std::string(argument) : std::string{};
}

}  // namespace histolab::kernels::program
