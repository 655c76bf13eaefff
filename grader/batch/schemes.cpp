#include "grader/batch/schemes.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "grader/words/characters.h"

namespace histolab::batch {
namespace {

constexpr std::size_t longest_entity = 10;

bool all_digits(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "a_b_12" -> {"a_b", "12"}: at the last '_'.
std::optional<std::pair<std::string, std::string>> split_number(const std::string& text) {
  const std::size_t bar = text.rfind('_');
  if (bar == std::string::npos || bar == 0 || !all_digits(std::string_view{text}.substr(bar + 1)))
    return std::nullopt;
  return std::pair{text.substr(0, bar), text.substr(bar + 1)};
}

void append_utf8(std::string& text, unsigned long code) {
  if (code == 0 || code > 0x10FFFF) return;
  const auto byte = [&](unsigned long bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xC0 | code >> 6), byte(0x80 | (code & 63));
  if (code < 0x10000)
    return byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63));
  byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
      byte(0x80 | (code & 63));
}

// Appends the character of the entity "&...;", or the entity itself if it is unknown.
void append_entity(std::string& text, const std::string& entity) {
  constexpr std::pair<std::string_view, std::string_view> named[] = {
      {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}};
  for (const auto& [name, character] : named)
    if (entity == name) {
      text += character;
      return;
    }
  if (entity.size() > 1 && entity.size() < 9 && entity[0] == '#') {
    const bool hex = entity[1] == 'x' || entity[1] == 'X';
    const std::string digits = entity.substr(hex ? 2 : 1);
    if (!digits.empty() && digits.find_first_not_of(hex ? "0123456789abcdefABCDEF"
                                                        : "0123456789") == std::string::npos)
      return append_utf8(text, std::stoul(digits, nullptr, hex ? 16 : 10));
  }
  text += "&" + entity + ";";
}

}  // namespace

std::optional<MoodleName> moodle_name(const std::string& text) {
  constexpr std::string_view mark = "_assignsubmission_";
  // The first mark counts: students choose the names after it.
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const auto student = split_number(text.substr(0, at));
    for (const std::string_view kind : {"file", "onlinetext"}) {
      std::string rest = text.substr(at + mark.size());
      if (!student || !rest.starts_with(kind)) continue;
      rest.erase(0, kind.size());
      if (!rest.empty() && rest.front() != '_') continue;
      if (!rest.empty()) rest.erase(0, 1);
      return MoodleName{student->first, student->second, kind == "onlinetext", std::move(rest)};
    }
  }
  return std::nullopt;
}

std::optional<CanvasName> canvas_name(const std::string& text) {
  CanvasName found;
  std::vector<std::string> parts;
  std::size_t at = 0;
  const std::size_t most =
      text.find("_LATE_") == text.find('_') && text.find('_') != std::string::npos ? 4 : 3;
  while (parts.size() < most) {
    const std::size_t bar = text.find('_', at);
    if (bar == std::string::npos) return std::nullopt;
    parts.push_back(text.substr(at, bar - at));
    at = bar + 1;
  }
  found.late = most == 4;
  found.name = parts.front(), found.user = parts[most - 2], found.file = text.substr(at);
  if (found.name.empty() || found.file.empty() || !all_digits(found.user) ||
      !all_digits(parts[most - 1]))
    return std::nullopt;
  found.submission = std::stoull(parts[most - 1]);
  return found;
}

std::optional<std::uint64_t> resubmission_number(const std::string& file, const std::string& as) {
  if (file == as) return 0;
  const std::size_t dot = as.find('.');
  const std::string stem = as.substr(0, dot) + "-",
                    ending = dot == std::string::npos ? "" : as.substr(dot);
  if (file.size() <= stem.size() + ending.size() || !file.starts_with(stem) ||
      !file.ends_with(ending))
    return std::nullopt;
  const std::string number = file.substr(stem.size(), file.size() - stem.size() - ending.size());
  if (!all_digits(number)) return std::nullopt;
  return std::stoull(number);
}

std::optional<std::string> student_before(const std::string& file, const std::string& ending) {
  if (file.size() < ending.size() + 2 || !file.ends_with(ending)) return std::nullopt;
  const std::string before = file.substr(0, file.size() - ending.size());
  if (std::string_view{"_-. "}.find(before.back()) == std::string_view::npos) return std::nullopt;
  return before.substr(0, before.size() - 1);
}

std::string text_of_page(const std::string& html) {
  std::string text;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '<') {
      const std::size_t end = html.find('>', at);
      if (end == std::string::npos) break;
      const std::string tag = grader::lower(std::string_view{html}.substr(at + 1, end - at - 1));
      for (const std::string_view breaks : {"br", "/p", "/div", "/pre", "/li"})
        if (tag == breaks || tag.starts_with(std::string{breaks} + " ") ||
            tag == std::string{breaks} + "/") {
          if (text.empty() || text.back() != '\n' || breaks == "br") text += '\n';
          break;
        }
      at = end + 1;
    } else if (const std::size_t size =
                   html[at] == '&' ? std::string_view{html}.substr(at, longest_entity).find(';')
                                   : std::string::npos;
               size != std::string::npos) {
      append_entity(text, html.substr(at + 1, size - 1));
      at += size + 1;
    } else {
      text += html[at++];
    }
  }
  return text;
}

}  // namespace histolab::batch
