#include "grader/words/seen.h"

#include <fmt/format.h>

#include <string_view>

namespace histolab::grader {
namespace {

std::string capitalized(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace

std::string Seen::sentence(const std::string& hint) const {
  std::string text = where;
  if (!where.empty() && !what.empty()) text += of_where ? " " : ": ";
  text += what;
  if (!aside.empty()) text += fmt::format(" ({})", aside);
  const auto add = [&](std::string_view title, const std::string& sentence) {
    if (sentence.empty()) return;
    if (!text.empty()) text += text.back() == '?' || text.back() == '.' ? " " : ". ";
    text += fmt::format("{}{}", title, sentence);
  };
  add("", capitalized(why));
  add("", next);
  add("Note: ", note);
  add("Hint: ", hint);
  return text;
}

}  // namespace histolab::grader
