// hints.md: three hints, from a nudge to nearly there, none of which is the solution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

inline constexpr std::size_t hints_of_a_lab = 3;

struct Hint {
  int line = 1;       // of its heading
  std::string title;  // what stands behind "## "
  std::string text;   // Markdown, what follows up to the next hint
};
// One for each heading of level 2.
[[nodiscard]] std::vector<Hint> hints_of(std::string_view page);

// So many tokens of C++ in a row, the same in a hint and in the solution but not in the stub, are a
// line of the solution. `a.b` counts as one. `blockIdx.x * blockDim.x + threadIdx.x` has 5, `if
// (letter >= 0 && letter < 26)` has 10.
inline constexpr std::size_t tokens_of_a_leak = 8;

// What is wrong with a hints.md: another number of hints than three, one without text, one with a
// line of the solution.
[[nodiscard]] std::vector<PageProblem> bad_hints(std::string_view page, std::string_view solution,
                                                 std::string_view stub);

}  // namespace histolab::grader::lessons
