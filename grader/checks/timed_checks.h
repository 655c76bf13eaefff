// Checks of a kernel's time, and the part of the other checks that needs the GPU's results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/checks/outcome.h"
#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

// Judges a check of time on each timed case that the check names.
[[nodiscard]] Outcome judge_time(const LabSpec& lab, const CheckSpec& check,
                                 const std::vector<TimedCaseResult>& timed);

// Returns a failure for the first case with a wrong result on the GPU, or with a kernel that the
// GPU stopped. Only kernels that the check covers count. A modelled time counts by the launches
// behind it. Returns nullopt if every result was right.
[[nodiscard]] std::optional<Outcome> first_timed_failure(const LabSpec& lab, const CheckSpec& check,
                                                         const std::vector<TimedCaseResult>& timed);

// Returns the GPU's results for a kernel that has findings in the emulator: "on the NVIDIA H200 all
// 24 launches were right, by luck". Returns an empty string if no GPU ran it.
[[nodiscard]] std::string gpu_evidence(const std::vector<TimedCaseResult>& timed);

}  // namespace histolab::grader
