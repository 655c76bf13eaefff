// A line of a student's file, for a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace histolab::grader {

// "work/02.cu:9", and below it the line with its mark; column 0 marks the whole statement. Without
// such a line the place alone; empty where `line` is 0. It takes `width` columns, 24 at least.
[[nodiscard]] std::string source_excerpt(const std::string& path, const std::string& source,
                                         int line, int column, std::size_t width = 80);

}  // namespace histolab::grader
