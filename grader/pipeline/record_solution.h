// Records the counters of a lab's solution with one seed, and the times of the solutions that its
// checks compare with.
#pragma once

#include <cstdint>

#include "grader/checks/recorded.h"
#include "grader/lab/lab.h"
#include "kernels/device.h"
#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::grader {

// Returns an Error if a solution is missing or fails, or if the machine fails.
[[nodiscard]] Result<Recorded> record_solution(kernels::Device& emulator, const LabSpec& lab,
                                               const reference::TimingProfile& profile,
                                               std::uint64_t seed);

}  // namespace histolab::grader
