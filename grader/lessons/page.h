// A lesson's page: lesson.in.md taken apart into lines and placeholders, and lesson.md made of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/expression.h"
#include "grader/lessons/facts.h"

namespace histolab::grader::lessons {

struct PageProblem {
  int line = 0;  // 1-based; 0: it is about the whole file
  std::string message;
};

struct Placeholder {
  std::size_t line = 0;            // index into PageSource::lines
  std::size_t begin = 0, end = 0;  // in the line, with the braces
  Expression expression;
};

struct PageSource {
  std::vector<std::string> lines;
  std::vector<Placeholder> placeholders;  // in the order of the page
  std::vector<PageProblem> problems;      // placeholders that cannot be read
};

// Fenced code is taken as it is: there two braces are C++.
[[nodiscard]] PageSource parse_page(std::string_view text);

struct Page {
  std::string text;
  std::vector<PageProblem>
      problems;  // placeholders that stand for nothing, with the line of the source
};
// `text` is the page, laid out for 80 columns, with a last line that says how it is made; of use
// only without problems.
[[nodiscard]] Page make_page(const PageSource& source, Facts& facts);

// Where a page is not what it should be: one problem for each line that differs (the first of them
// where lines came or went).
[[nodiscard]] std::vector<PageProblem> stale_lines(std::string_view page, std::string_view made);

}  // namespace histolab::grader::lessons
