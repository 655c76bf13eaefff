// One case: its launches on a device, compared with the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lab.h"
#include "grader/launch_plan.h"
#include "grader/report.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

using Bytes = std::vector<std::uint8_t>;

// Launches `compiled` once per entry of `inputs`, in one process, into a zeroed histogram each. `shape` has id, dataset,
// length, grid, block, schedule and seed; the result is `shape` with everything else filled in.
// Error: the machine's fault only.
[[nodiscard]] Result<CaseResult> run_case(kernels::Device& device, const LabSpec& lab,
                                          const kernels::Compiled& compiled, CaseResult shape,
                                          const std::vector<Bytes>& inputs, const kernels::Observers& observers);

// The shape of a lab's case under a report's seed, and the data of its launches.
[[nodiscard]] CaseResult shape_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports, std::uint64_t seed);
[[nodiscard]] Result<std::vector<Bytes>> inputs_of(const CaseResult& shape);

}  // namespace histolab::grader
