#include "grader/lessons/typed_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "grader/lessons/markdown.h"
#include "grader/words/characters.h"

namespace histolab::grader::lessons {
namespace {

constexpr double largest_small_number = 32;

// Returns a text of the same length, with blanks instead of placeholders and code. A mark is left,
// so that a cell with a placeholder is not empty.
std::string blanked(std::string text) {
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) text[i] = i == begin ? '$' : ' ';
  };
  for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at)) {
    const std::size_t end = text.find("}}", at);
    if (end == std::string::npos) break;
    blank(at, end + 2);
  }
  for (const auto& [begin, end] : code_spans(text)) blank(begin, end);
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1))
    blank(at + 1, std::min(text.find(')', at), text.size()));
  return text;
}

bool has_unit(std::string_view rest) {
  static constexpr std::string_view units[] = {
      "%",   "percent", "times",  "x",    "ns",     "us",      "ms",
      "s",   "seconds", "GB/s",   "TB/s", "GB",     "MB",      "GHz",
      "MHz", "clock",   "clocks", "G",    "GFLOPS", "million", "billion"};
  while (rest.starts_with(' ') || rest.starts_with('*')) rest.remove_prefix(1);
  std::size_t end = 0;
  while (end < rest.size() && (is_word(rest[end]) || rest[end] == '/' || rest[end] == '%')) ++end;
  return std::find(std::begin(units), std::end(units), rest.substr(0, end)) != std::end(units);
}

bool is_round(double number) {
  if (number <= largest_small_number) return true;
  const double two = std::log2(number), ten = std::log10(number);
  return two == std::round(two) || std::pow(10.0, std::round(ten)) == number;
}

// Returns offset and text of each number that should be a placeholder.
std::vector<std::pair<std::size_t, std::string>> suspicious(const std::string& text) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at]) || (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.' ||
                                           text[at - 1] == '^' || text[at - 1] == '/'))) {
      const bool was_word = is_word(text[at]) || text[at] == '^';
      ++at;
      while (was_word && at < text.size() && is_digit(text[at])) ++at;
      continue;
    }
    const std::size_t begin = at;
    std::string digits;
    bool decimals = false;
    while (at < text.size()) {
      const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
      if (is_digit(text[at])) {
        digits += text[at++];
      } else if (text[at] == '.' && digit_at(at + 1) && !decimals) {
        decimals = true;
        digits += text[at++];
      } else if (text[at] == ' ' && digit_at(at + 1) && digit_at(at + 2) && digit_at(at + 3) &&
                 !digit_at(at + 4)) {
        ++at;
      } else {
        break;
      }
    }
    const std::string_view rest = std::string_view{text}.substr(at);
    // The exponent is skipped below.
    if (rest.starts_with('^')) continue;
    const bool compound =
        rest.size() > 1 && rest[0] == '-' && std::isalpha(static_cast<unsigned char>(rest[1])) != 0;
    const bool name = !rest.empty() && is_word(rest[0]) && !has_unit(rest);
    if (compound || name) continue;
    double number = std::nan("");  // remains so if there are more digits than a double has
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (decimals || has_unit(rest) || !is_round(number))
      found.emplace_back(begin, text.substr(begin, at - begin));
  }
  return found;
}

bool is_alone(const std::string& cell) {
  return std::any_of(cell.begin(), cell.end(), is_digit) &&
         cell.find_first_not_of("0123456789 .,*%+-") == std::string::npos;
}

PageProblem problem(int line, const std::string& number, const char* where) {
  return {line, fmt::format("\"{}\" is typed into {}: use a placeholder for a measured or counted "
                            "number, and {{{{given {}}}}} for a chosen one",
                            number, where, number)};
}

void look_at_table(const Block& table, std::vector<PageProblem>& problems) {
  for (std::size_t row = 2; row < table.lines.size(); ++row) {
    const std::vector<std::string> cells = cells_of(blanked(table.lines[row]));
    const int line = table.line + static_cast<int>(row);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (is_alone(cells[i])) {
        problems.push_back(problem(line, cells[i], "a table"));
        continue;
      }
      for (const auto& [at, number] : suspicious(cells[i]))
        problems.push_back(problem(line, number, "a table"));
    }
  }
}

void look_at_text(const Block& block, std::vector<PageProblem>& problems) {
  std::string text;
  std::vector<std::size_t> ends;
  for (const std::string& line : block.lines) {
    text += line + " ";
    ends.push_back(text.size());
  }
  for (const auto& [at, number] : suspicious(blanked(text))) {
    const auto line = std::upper_bound(ends.begin(), ends.end(), at) - ends.begin();
    problems.push_back(
        problem(block.line + static_cast<int>(line), number, "a section about measurements"));
  }
}

}  // namespace

std::vector<PageProblem> typed_numbers(std::string_view source) {
  std::vector<PageProblem> problems;
  bool watched = false;
  for (const Block& block : blocks_of(source)) {
    if (block.kind == BlockKind::heading) {
      const Heading heading = heading_of(block);
      if (heading.level <= 2)
        watched = heading.text.starts_with("What you will see") ||
                  heading.text.starts_with("On real hardware");
    }
    if (block.kind == BlockKind::table) look_at_table(block, problems);
    if (watched && (block.kind == BlockKind::paragraph || block.kind == BlockKind::item))
      look_at_text(block, problems);
  }
  return problems;
}

}  // namespace histolab::grader::lessons
