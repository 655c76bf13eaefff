// Lines of code with their numbers, some marked, with notes below them. It needs so little markup
// that a page holds the sources of a whole class.
//
// Lines without a mark share one <pre>. The style sheet adds their numbers: a column of all numbers
// next to it, moved up until the first one fits. A marked line, or one that may need several rows,
// has a <pre> of its own, so that numbers and lines stay aligned.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/html/html.h"

namespace histolab::class_report {

class CodeView {
 public:
  // A line of more than `columns` has a <pre> of its own and wraps at the edge of the view.
  explicit CodeView(std::size_t columns = 96) : columns_(columns) {}

  static constexpr int most_lines = 400;            // the column has no higher numbers
  static constexpr std::size_t most_columns = 400;  // of a shown line

  // Numbers increase from call to call. `look`, a class of the style sheet, marks the line: "e"
  // (error), "r" (remark), "n" (note) or "". The code is flat (code_text.h).
  void line(int number, std::string_view code, std::string_view look = {});
  // Adds a note below the last line.
  void note(std::string_view look, std::string_view text);
  // Returns nothing if there were no lines.
  [[nodiscard]] grader::Html html() &&;

 private:
  void end_run();
  std::size_t columns_;
  grader::Html out_;
  int next_ = 0;  // the number that continues the run
  bool in_run_ = false;
};

// Returns the style of the numbers and of their offsets: .f12 begins with 12.
[[nodiscard]] std::string code_view_style();

}  // namespace histolab::class_report
