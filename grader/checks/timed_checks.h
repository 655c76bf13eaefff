// Checks of a kernel's time, and what the GPU has to say to the other checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/checks/outcome.h"
#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

// within_of_solution and speedup_over: each timed case that the check names.
[[nodiscard]] Outcome judge_time(const LabSpec& lab, const CheckSpec& check,
                                 const std::vector<TimedCaseResult>& timed);

// The first case of a kernel that the check is about in which a result on the GPU was wrong, or the
// GPU stopped the kernel. A modelled time counts by the launches that it is modelled from.
// Returns nullopt if every result was right.
[[nodiscard]] std::optional<Outcome> wrong_when_timed(const LabSpec& lab, const CheckSpec& check,
                                                      const std::vector<TimedCaseResult>& timed);

// What the GPU made of a kernel in which the emulator found something: "on the NVIDIA H200 all 24
// launches were right, by luck"; empty: it was not launched there.
[[nodiscard]] std::string gpu_evidence(const std::vector<TimedCaseResult>& timed);

}  // namespace histolab::grader
