// Measured: times of a submission that were taken on another machine, a cluster node with a GPU.
//
// measure (there) -> Measured -> JSON -> Measured -> GradeJob::measured (here)
//
// It includes the times of the solutions, taken in the same session, for the comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/pipeline/timed_stage.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

struct Measured {
  std::uint32_t multiprocessors = 0;  // of the GPU; its name is in each case
  // Empty if the kernel cannot be launched, so it was not timed.
  std::vector<TimedCaseResult> timed;
  // Per thread, by the compiler for that GPU, if a check needs it.
  std::optional<std::uint64_t> local_bytes;
};

// Compiles with `emulator` to read the kernel's exports, which decide how it is launched. Returns
// an Error if the machine fails.
[[nodiscard]] Result<Measured> measure(kernels::Device& emulator, kernels::TimedDevice& gpu,
                                       TimedStage& stage, const LabSpec& lab,
                                       const Submission& submission);

// Returns the timed cases like TimedStage.
[[nodiscard]] std::vector<TimedCaseResult> timed_by(const Measured& measured, const LabSpec& lab,
                                                    const Exports& exports);

// Returns one line. Reading it returns the same value without the launch shapes, which timed_by()
// computes again.
[[nodiscard]] std::string to_json(const Measured& measured);
[[nodiscard]] Result<Measured> measured_from_json(std::string_view text, const std::string& name);

}  // namespace histolab::grader
