// A lesson's page: parses lesson.in.md into lines and placeholders, and makes lesson.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/expression.h"
#include "grader/lessons/facts.h"

namespace histolab::grader::lessons {

struct PageProblem {
  int line = 0;  // from 1; 0 if it concerns the whole file
  std::string message;
};

struct Placeholder {
  std::size_t line = 0;            // index into PageSource::lines
  std::size_t begin = 0, end = 0;  // positions in the line, including the braces
  Expression expression;
};

struct PageSource {
  std::vector<std::string> lines;
  std::vector<Placeholder> placeholders;  // in the order of the page
  std::vector<PageProblem> problems;      // invalid placeholders
};

// Parses a page. Fenced code is not searched: two braces are C++ there.
[[nodiscard]] PageSource parse_page(std::string_view text);

struct Page {
  std::string text;
  // Placeholders without a value, with the line of the source.
  std::vector<PageProblem> problems;
};
// Returns the page for 80 columns. Its last line says how it is made. `text` is valid only if there
// are no problems.
[[nodiscard]] Page make_page(const PageSource& source, Facts& facts);

// Compares a page with the generated one. Returns one problem for each line that differs, or only
// the first if the number of lines differs.
[[nodiscard]] std::vector<PageProblem> stale_lines(std::string_view page, std::string_view made);

}  // namespace histolab::grader::lessons
