// hints.md: three hints from vague to detailed. None of them contains the solution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

inline constexpr std::size_t hints_of_a_lab = 3;

struct Hint {
  int line = 1;       // line of its heading
  std::string title;  // text after "## "
  std::string text;   // Markdown up to the next hint
};
// Returns one hint per heading of level 2.
[[nodiscard]] std::vector<Hint> hints_of(std::string_view page);

// A hint gives a line of the solution away if it shares this many consecutive tokens of C++ with
// the solution but not with the stub. `a.b` counts as one token. `blockIdx.x * blockDim.x +
// threadIdx.x` has 5 tokens, `if (letter >= 0 && letter < 26)` has 10.
inline constexpr std::size_t tokens_of_a_leak = 8;

// Returns the problems of a hints.md: not three hints, a hint without text, or a line of the
// solution.
[[nodiscard]] std::vector<PageProblem> bad_hints(std::string_view page, std::string_view solution,
                                                 std::string_view stub);

}  // namespace histolab::grader::lessons
