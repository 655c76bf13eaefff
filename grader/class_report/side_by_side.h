// Two sources side by side: their lines aligned by common text, with the differing words marked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/html/html.h"

namespace histolab::class_report {

struct Piece {
  std::string text;
  bool changed = false;
  bool operator==(const Piece&) const = default;
};

// A row has a line of each source, or of one of them. A line number is 0 if that source has no line
// here.
struct SideBySideRow {
  int left = 0, right = 0;  // line numbers, from 1
  std::vector<Piece> left_code, right_code;
};

// Lines that are equal but for blanks at their ends face each other (longest common subsequence).
// Between those, lines with many words in common do. Sources are compared up to
// CodeView::most_lines and most_columns.
[[nodiscard]] std::vector<SideBySideRow> side_by_side(std::string_view left,
                                                      std::string_view right);

// The rows as a table with these headings.
[[nodiscard]] grader::Html side_by_side_table(const std::string& left_title,
                                              const std::string& right_title,
                                              const std::vector<SideBySideRow>& rows);

}  // namespace histolab::class_report
