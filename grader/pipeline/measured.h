// Measured: how long a submission's timed cases took on a GPU that the grading process has not: a
// node of a cluster that has one takes the times, one that has none judges with them.
//
//   measure (there) -> Measured -> JSON -> Measured -> GradeJob::measured (elsewhere)
//
// A submission is compared only with solutions that were timed beside it: they are in the same
// value.
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
  std::vector<TimedCaseResult>
      timed;  // empty: the kernel was not timed, since it cannot be launched
  std::optional<std::uint64_t>
      local_bytes;  // of a thread, by the compiler for that GPU, where a check is about it
};

// `emulator` compiles only: what the kernel exports decides how it is launched. Error: the
// machine's fault.
[[nodiscard]] Result<Measured> measure(kernels::Device& emulator, kernels::TimedDevice& gpu,
                                       TimedStage& stage, const LabSpec& lab,
                                       const Submission& submission);

// The timed cases as TimedStage gives them.
[[nodiscard]] std::vector<TimedCaseResult> timed_by(const Measured& measured, const LabSpec& lab,
                                                    const Exports& exports);

// One line. Reading it back gives the same value, but for the launch shapes, which timed_by() works
// out again.
[[nodiscard]] std::string to_json(const Measured& measured);
[[nodiscard]] Result<Measured> measured_from_json(std::string_view text, const std::string& name);

}  // namespace histolab::grader
