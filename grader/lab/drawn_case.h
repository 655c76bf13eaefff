// Draws the shape of a case from the seed, so that a kernel cannot recognize a case by its shape
// (docs/labs.md, "What is drawn").
#pragma once

#include <cstdint>

#include "grader/lab/lab.h"

namespace histolab::grader {

// Returns the case with a drawn length, block and grid. The result only depends on the seed and the
// id, so cases of two labs with the same id can be compared.
//
//   block   up to a quarter less, never more: a kernel may promise or assume lab.json's number. A
//           multiple of a warp remains one.
//   grid    up to half more, only for LaunchRule::Grid::fixed.
//   length  up to 1/32 more or less, but never the length in lab.json. Below 64 at most 1/16 more,
//           below 16 unchanged.
//
// 4, 16 and the block divide the drawn length exactly if they divide the length in lab.json.
[[nodiscard]] CaseSpec drawn_case(const CaseSpec& spec, std::uint64_t seed);

// Returns how many elements of a timed case the emulator runs: emulated_length, or up to 1/16 more.
[[nodiscard]] std::uint64_t drawn_emulated_length(const TimedCaseSpec& spec, std::uint64_t seed);

}  // namespace histolab::grader
