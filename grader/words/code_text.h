// Prepares a line of code for display: replaces tabs, and wraps it into rows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::grader {

// Expands tabs to multiples of four columns, removes trailing blanks and replaces control
// characters.
[[nodiscard]] std::string flat(const std::string& line);

// The bytes [begin, end) of a line, shown `indent` columns from the left.
struct CodeRow {
  std::size_t begin = 0, end = 0, indent = 0;
};
// Wraps a flat line into rows of at most `room` columns (16 or more), preferably after a blank, a
// comma or a bracket. Later rows are indented four columns more. An empty line has one empty row.
[[nodiscard]] std::vector<CodeRow> rows_of(std::string_view line, std::size_t room);

}  // namespace histolab::grader
