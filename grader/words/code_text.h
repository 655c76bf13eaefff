// A line of code as it is shown: without tabs, and cut into rows where there is not room enough for
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::grader {

// Tabs as four columns, no blanks at the end, nothing that would steer a terminal.
[[nodiscard]] std::string flat(const std::string& line);

// The bytes [begin, end) of a line, to stand `indent` columns from the left.
struct CodeRow {
  std::size_t begin = 0, end = 0, indent = 0;
};
// A flat line in rows of at most `room` columns (at least 16), cut behind a blank, a comma or a
// bracket; later rows stand four columns further in. An empty line has one empty row.
[[nodiscard]] std::vector<CodeRow> rows_of(std::string_view line, std::size_t room);

}  // namespace histolab::grader
