// A line of a student's file, for a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace histolab::grader {

// Returns "work/02.cu:9" and below it the line with a mark. Column 0 marks the whole statement. The
// file and line alone if that line is empty or missing; empty if `line` is 0. `width` is in
// columns, 24 or more.
[[nodiscard]] std::string source_excerpt(const std::string& path, const std::string& source,
                                         int line, int column, std::size_t width = 80);

}  // namespace histolab::grader
