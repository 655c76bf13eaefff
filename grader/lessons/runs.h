// Runs: runs cases of the labs for the lessons, with the grader's own code.
//
// The seed is 1, the default of `histolab grade`. So students see the lesson's numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

inline constexpr std::uint64_t seed_of_runs = 1;

struct RunKey {
  std::string lab;     // "04-privatization"
  std::string kernel;  // "solution", "stub" or the folder of an attempt
  std::string test;    // the id of a case
  friend auto operator<=>(const RunKey&, const RunKey&) = default;
};

// The result of each run. An Error means that the kernel could not run on that case; its message is
// for the author of the lesson.
using Runs = std::map<RunKey, Result<CaseResult>>;

// Runs the cases. The result does not depend on `jobs`, the number of kernels that run at once.
// Returns an Error if the machine fails.
[[nodiscard]] Result<Runs> run_cases(kernels::Device& device, const std::vector<LabSpec>& labs,
                                     const std::vector<RunKey>& keys, unsigned jobs);

}  // namespace histolab::grader::lessons
