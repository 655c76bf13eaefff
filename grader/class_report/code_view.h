// Lines of code with their numbers, some marked, with notes below them, in so little markup that a
// page holds the sources of a whole class.
//
// Lines without a mark are one <pre>. Their numbers are the style sheet's: a column of all numbers
// beside it, moved up until the first one fits. A line with a mark, or one that may need several
// rows, is a <pre> of its own; so the two columns never part.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace histolab::class_report {

class CodeView {
 public:
  // A line of more than `columns` is a row of its own, which wraps at the edge of the view.
  explicit CodeView(std::size_t columns = 96) : columns_(columns) {}

  static constexpr int most_lines = 400;            // numbers above have no place in the column
  static constexpr std::size_t most_columns = 400;  // of a line that a page shows

  // Numbers grow from call to call. `look`: of the style sheet, "e" (error), "r" (remark) or "n"
  // (note); empty: no mark. The code is flat (code_text.h).
  void line(int number, std::string_view code, std::string_view look = {});
  // Below the line before it.
  void note(std::string_view look, std::string_view text);
  // Empty where there was no line.
  [[nodiscard]] std::string html() &&;

 private:
  void end_run();
  std::size_t columns_;
  std::string out_;
  int next_ = 0;  // the number that goes on with the run
  bool in_run_ = false;
};

// The numbers and where they begin, for the style sheet: .f12 begins with 12.
[[nodiscard]] std::string code_view_style();

}  // namespace histolab::class_report
