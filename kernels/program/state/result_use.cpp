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

}  // namespace histolab::kernels::program
