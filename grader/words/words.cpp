#include "grader/words/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/words/characters.h"
#include "reference/edit_distance.h"
#include "reference/utf8.h"

namespace histolab::grader {

std::string grouped_value(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (value != std::floor(value) || std::abs(value) >= exact) return fmt::format("{:g}", value);
  return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(value)));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ' ');
  return digits;
}

std::string plain(double number) {
  if (number >= 10000 && number < 1e18)
    return grouped(static_cast<std::uint64_t>(std::llround(number)));
  std::string text = fmt::format("{:.2f}", number);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string duration(double ms) {
  if (ms < 1) return fmt::format("{:.3g} us", ms * 1000);
  if (ms < 1000) return fmt::format("{:.3g} ms", ms);
  return fmt::format("{:.3g} s", ms / 1000);
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", grouped(count), singular)
                        : fmt::format("{} {}", grouped(count), plural);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0 || part == 0) return "0 %";
  if (part >= whole) return "100 %";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (share < 1) return "under 1 %";
  if (share > 99) return "over 99 %";
  return fmt::format("{:.0f} %", share);
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;  // exclusive
  for (const std::string& candidate : candidates) {
    const std::size_t distance = reference::edit_distance(word, candidate);
    if (distance < best_distance) best_distance = distance, best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? std::string{} : fmt::format("; did you mean {}?", near);
}

std::string either(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

namespace {

// True if the blank at `at` groups the digits of a number, as in 166 012.
bool groups_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  return at > 0 && text[at] == ' ' && digit(at - 1) && digit(at + 1) && digit(at + 2) &&
         digit(at + 3) && !digit(at + 4);
}

std::size_t end_of_word(std::string_view text) {
  std::size_t end = std::min(text.find_first_of(" \n"), text.size());
  while (end < text.size() && groups_digits(text, end))
    end = std::min(text.find_first_of(" \n", end + 1), text.size());
  return end;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      if (!lines.back().empty() && columns(lines.back()) + 1 + columns(word) > width)
        lines.emplace_back();
      if (!lines.back().empty()) lines.back() += ' ';
      lines.back() += word;
    }
    if (end < text.size() && text[end] == '\n') lines.emplace_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string paragraph(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out;
  for (const std::string& line : wrapped(harmless(text), width - indent))
    out += std::string(indent, ' ') + line + "\n";
  return out;
}

std::string padded(const std::string& text, std::size_t to) {
  return text + std::string(to - std::min(to, columns(text)), ' ');
}

std::string shortened(const std::string& text, std::size_t to) {
  return text.size() <= to ? text : std::string{beginning_of(text, to - 3)} + "...";
}

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    if (bytes == 0 || is_control(code) || turns_direction(code))
      out += '?';
    else
      out += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string line_of(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string found{text.substr(0, text.find('\n'))};
  if (!found.empty() && found.back() == '\r') found.pop_back();
  return number < 1 ? std::string{} : found;
}

std::string in_words(std::string_view name) {
  std::string words{name};
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string single_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace histolab::grader
