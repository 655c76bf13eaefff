// Draws the shape of a case from the seed, so that a kernel cannot know a case by its shape
// (docs/labs.md, "What is drawn").
#pragma once

#include <cstdint>

#include "grader/lab/lab.h"

namespace histolab::grader {

// The case with its length, block and grid drawn: the same for the same seed and id. So
// cases of two labs that are called alike can be compared.
//
//   block   up to a quarter less, never more: a kernel may promise or assume lab.json's number. A
//           multiple of a warp stays one.
//   grid    with LaunchRule::Grid::fixed up to half more.
//   length  1/32 more or less, but another length than lab.json says. Below 64 at most 1/16 more,
//           below 16 exact.
//
// 4, 16 and the block divide the drawn length if they divide that of lab.json, and otherwise not.
[[nodiscard]] CaseSpec drawn_case(const CaseSpec& spec, std::uint64_t seed);

// Elements that the emulator runs of a timed case: emulated_length and up to 1/16 more.
[[nodiscard]] std::uint64_t drawn_emulated_length(const TimedCaseSpec& spec, std::uint64_t seed);

}  // namespace histolab::grader
