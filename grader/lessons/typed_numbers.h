// Numbers that somebody typed into a lesson where a placeholder belongs.
//
// Looked at: the cells of tables but for the header and the first column, and all text under a
// heading that begins with "What you will see" or "On real hardware". Not looked at: code, in
// whatever form. There a typed number is a problem, but for these, which are chosen and not
// measured: a whole number up to 32, a power of two or of ten (also as 2^26), a number that is part
// of a name or a compound (H200, 4-byte). None of them with a unit behind it (times, %, ms, clocks,
// GB/s ...), and none that is alone in its cell.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

[[nodiscard]] std::vector<PageProblem> typed_numbers(std::string_view source);

}  // namespace histolab::grader::lessons
