// instructor.md: notes for whoever gives the course. One table of it is read: the misconceptions,
// and the attempts that show them.
//
//   ## Misconceptions
//   | misconception | attempts | what to say |
//   | "++ is one step" | `plain-increment`, `volatile-cure` | ... |
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

// The rows of that table; its second column names attempts in backticks. Empty where there is no
// such table.
[[nodiscard]] std::vector<Misconception> misconceptions_of(std::string_view page);

// An attempt that is named and not there, a wrong one that nobody names, a misconception that no
// attempt shows.
[[nodiscard]] std::vector<PageProblem> uncovered(const std::vector<Misconception>& misconceptions,
                                                 const std::vector<std::string>& attempts,
                                                 const std::vector<std::string>& wrong_attempts);

}  // namespace histolab::grader::lessons
