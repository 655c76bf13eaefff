#include "kernels/program/state/result_use.h"

#include <algorithm>
#include <cctype>

namespace histolab::kernels::program {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::optional<bool> uses_result(std::string_view line, std::string_view function) {
  std::size_t at = line.find(function);
  while (at != std::string_view::npos &&
         ((at > 0 && is_word(line[at - 1])) ||
          (at + function.size() < line.size() && is_word(line[at + function.size()]))))
    at = line.find(function, at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view before = line.substr(0, at);
  if (before.ends_with("::")) before.remove_suffix(2);
  while (!before.empty() && (before.back() == ' ' || before.back() == '\t'))
    before.remove_suffix(1);
  // A statement begins after these.
  return !(before.empty() || before.ends_with(';') || before.ends_with('{') ||
           before.ends_with('}') || before.ends_with("else"));
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
