#include "grader/class_report/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "grader/class_report/class_report.html.h"
#include "grader/class_report/code_view.h"
#include "grader/words/code_text.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::html;
using grader::Html;

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // ascending in both

// Bounds on the time for a hostile source. Real sources stay far below.
constexpr std::size_t most_cells = 40'000, most_word_cells = 10'000, most_compared_words = 40;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(std::string_view text) { return text.find_first_not_of(' ') == text.npos; }

// Splits a line into names, numbers, runs of blanks, and single characters.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    if (in_word(line[at]))
      while (end < line.size() && in_word(line[end])) ++end;
    else if (line[at] == ' ')
      while (end < line.size() && line[end] == ' ') ++end;
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

struct Line {
  std::string text;          // as shown
  std::string_view trimmed;  // without blanks at its ends
  std::vector<std::string_view> words;
  std::vector<std::size_t> sorted_hashes;  // of the first words
};

std::vector<Line> lines_of(std::string_view source) {
  std::vector<Line> lines;
  for (const std::string& text : grader::lines_of(std::string{source})) {
    if (lines.size() == static_cast<std::size_t>(CodeView::most_lines)) break;
    lines.emplace_back().text = grader::shortened(grader::flat(text), CodeView::most_columns);
  }
  for (Line& line : lines) {  // the views stay valid: lines no longer move
    const std::size_t begin = line.text.find_first_not_of(' '),
                      end = line.text.find_last_not_of(' ');
    if (begin != std::string::npos)
      line.trimmed = std::string_view{line.text}.substr(begin, end - begin + 1);
    line.words = words_of(line.text);
    for (const std::string_view word : line.words)
      if (!is_blank(word) && line.sorted_hashes.size() < most_compared_words)
        line.sorted_hashes.push_back(std::hash<std::string_view>{}(word));
    std::ranges::sort(line.sorted_hashes);
  }
  return lines;
}

// Returns the alignment of `n` and `m` items with the greatest sum of scores. Items with a score of
// 0 are never paired.
Pairs best_alignment(std::size_t n, std::size_t m,
                     const std::function<double(std::size_t, std::size_t)>& score) {
  std::vector<double> best((n + 1) * (m + 1), 0), scores(n * m, 0);
  const auto at = [&](std::size_t i, std::size_t k) -> double& { return best[i * (m + 1) + k]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = m; k-- > 0;) {
      const double paired = scores[i * m + k] = score(i, k);
      at(i, k) = std::max({at(i + 1, k), at(i, k + 1), paired > 0 ? paired + at(i + 1, k + 1) : 0});
    }
  Pairs pairs;
  for (std::size_t i = 0, k = 0; i < n && k < m;) {
    const double paired = scores[i * m + k];
    if (paired > 0 && at(i, k) == paired + at(i + 1, k + 1))
      pairs.emplace_back(i++, k++);
    else if (at(i, k) == at(i + 1, k))
      ++i;
    else
      ++k;
  }
  return pairs;
}

// Returns the share of words that two lines have in common, or 0 if it is less than half.
double likeness(const Line& a, const Line& b) {
  std::size_t common = 0;
  for (auto x = a.sorted_hashes.begin(), y = b.sorted_hashes.begin();
       x != a.sorted_hashes.end() && y != b.sorted_hashes.end();) {
    if (*x < *y)
      ++x;
    else if (*y < *x)
      ++y;
    else
      ++common, ++x, ++y;
  }
  const double share = 2.0 * static_cast<double>(common) /
                       static_cast<double>(std::max<std::size_t>(
                           1, a.sorted_hashes.size() + b.sorted_hashes.size()));
  return share < 0.5 ? 0 : share;
}

// Appends the pieces of two lines that face each other.
void compare_words(const Line& a, const Line& b, std::vector<Piece>& of_a,
                   std::vector<Piece>& of_b) {
  const auto append = [](std::vector<Piece>& pieces, std::string_view text, bool changed) {
    if (pieces.empty() || pieces.back().changed != changed) pieces.push_back({"", changed});
    pieces.back().text += text;
  };
  Pairs same;
  if (a.words.size() * b.words.size() <= most_word_cells)
    same = best_alignment(a.words.size(), b.words.size(), [&](std::size_t i, std::size_t k) {
      return a.words[i] != b.words[k] ? 0.0 : is_blank(a.words[i]) ? 0.01 : 1.0;
    });
  std::size_t i = 0, k = 0;
  const auto until = [&](std::size_t end_a, std::size_t end_b) {
    for (; i < end_a; ++i) append(of_a, a.words[i], !is_blank(a.words[i]));
    for (; k < end_b; ++k) append(of_b, b.words[k], !is_blank(b.words[k]));
  };
  for (const auto& [x, y] : same) {
    until(x, y);
    append(of_a, a.words[i++], false), append(of_b, b.words[k++], false);
  }
  until(a.words.size(), b.words.size());
}

class Aligner {
 public:
  Aligner(std::string_view left, std::string_view right)
      : left_(lines_of(left)), right_(lines_of(right)) {}

  std::vector<SideBySideRow> rows() && {
    const auto same = [&](std::size_t i, std::size_t k) {
      return left_[i].trimmed == right_[k].trimmed;
    };
    std::size_t begin = 0, end_left = left_.size(), end_right = right_.size();
    while (begin < std::min(end_left, end_right) && same(begin, begin)) ++begin;
    while (end_left > begin && end_right > begin && same(end_left - 1, end_right - 1))
      --end_left, --end_right;
    for (std::size_t i = 0; i < begin; ++i) pair(i, i);
    // Empty lines may face each other, but they do not decide where lines of code go.
    const Pairs anchors =
        best_alignment(end_left - begin, end_right - begin, [&](std::size_t i, std::size_t k) {
          return !same(begin + i, begin + k)           ? 0.0
                 : left_[begin + i].trimmed.size() < 2 ? 0.01
                                                       : 1.0;
        });
    std::size_t i = begin, k = begin;
    for (const auto& [x, y] : anchors) {
      fill(i, begin + x, k, begin + y);
      pair(begin + x, begin + y);
      i = begin + x + 1, k = begin + y + 1;
    }
    fill(i, end_left, k, end_right);
    for (; end_left < left_.size(); ++end_left, ++end_right) pair(end_left, end_right);
    return std::move(rows_);
  }

 private:
  // Aligns lines without an equal counterpart: similar lines face each other.
  void fill(std::size_t i, std::size_t end_left, std::size_t k, std::size_t end_right) {
    Pairs pairs;
    if (const std::size_t n = end_left - i, m = end_right - k; n * m <= most_cells)
      pairs = best_alignment(n, m, [&](std::size_t x, std::size_t y) {
        return likeness(left_[i + x], right_[k + y]);
      });
    const std::size_t first_left = i, first_right = k;
    const auto alone_until = [&](std::size_t to_left, std::size_t to_right) {
      for (; i < to_left; ++i)
        rows_.push_back({static_cast<int>(i) + 1, 0, {{left_[i].text, true}}, {}});
      for (; k < to_right; ++k)
        rows_.push_back({0, static_cast<int>(k) + 1, {}, {{right_[k].text, true}}});
    };
    for (const auto& [x, y] : pairs) {
      alone_until(first_left + x, first_right + y);
      pair(i++, k++);
    }
    alone_until(end_left, end_right);
  }
  void pair(std::size_t i, std::size_t k) {
    SideBySideRow& row = rows_.emplace_back();
    row.left = static_cast<int>(i) + 1, row.right = static_cast<int>(k) + 1;
    if (left_[i].trimmed == right_[k].trimmed)
      row.left_code = {{left_[i].text, false}}, row.right_code = {{right_[k].text, false}};
    else
      compare_words(left_[i], right_[k], row.left_code, row.right_code);
  }

  const std::vector<Line> left_, right_;
  std::vector<SideBySideRow> rows_;
};

Html cells(int number, const std::vector<Piece>& code) {
  if (number == 0) return html("<td><td class=gap>");
  Html out = html("<td>{}<td>", number);
  for (const Piece& piece : code) {
    const Html text{grader::escaped_content(piece.text)};
    out += piece.changed ? html("<mark>{}</mark>", text) : text;
  }
  return out;
}

}  // namespace

std::vector<SideBySideRow> side_by_side(std::string_view left, std::string_view right) {
  return Aligner{left, right}.rows();
}

Html side_by_side_table(const std::string& left_title, const std::string& right_title,
                        const std::vector<SideBySideRow>& rows) {
  Html cells_of_rows;
  for (const SideBySideRow& row : rows)
    cells_of_rows +=
        html("<tr>{}{}", cells(row.left, row.left_code), cells(row.right, row.right_code));
  return html(grader::piece(embedded::class_report_html, "diff"), left_title, right_title,
              cells_of_rows);
}

}  // namespace histolab::class_report
