// instructor.md: notes for instructors. histolab reads one table of it: the misconceptions and the
// attempts that show them (docs/lessons.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

struct Misconception {
  int line = 0;
  std::string title;
  std::vector<std::string> attempts;  // folders of attempts/
};

// Returns the rows of that table, or nothing if there is no such table. The second column names
// attempts in backticks.
[[nodiscard]] std::vector<Misconception> misconceptions_of(std::string_view page);

// Returns a problem for each named attempt that does not exist, each wrong attempt that is not
// named, and each misconception without an attempt.
[[nodiscard]] std::vector<PageProblem> uncovered(const std::vector<Misconception>& misconceptions,
                                                 const std::vector<std::string>& attempts,
                                                 const std::vector<std::string>& wrong_attempts);

}  // namespace histolab::grader::lessons
