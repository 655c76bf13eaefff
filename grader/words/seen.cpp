#include "grader/words/seen.h"

#include <fmt/format.h>

namespace histolab::grader {
namespace {

std::string capitalized(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace

std::string Seen::sentence() const {
  std::string text = where;
  if (!where.empty() && !what.empty()) text += of_where ? " " : ": ";
  text += what;
  if (!aside.empty()) text += fmt::format(" ({})", aside);
  for (const std::string& behind : {why, next, note.empty() ? note : "note: " + note})
    if (!behind.empty()) text += (text.empty() ? "" : ". ") + capitalized(behind);
  return text;
}

}  // namespace histolab::grader
