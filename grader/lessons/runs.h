// Runs: cases of the labs, run for the lessons by the code that grades.
//
// The seed is 1, the default of `histolab grade`: a student sees the lesson's numbers.
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
  std::string kernel;  // "solution", "stub" or an attempt's folder
  std::string test;    // the id of a case
  friend auto operator<=>(const RunKey&, const RunKey&) = default;
};

// What came of each; an Error where the kernel could not be run on that case at all, in words for
// the author of the lesson.
using Runs = std::map<RunKey, Result<CaseResult>>;

// The result does not depend on `jobs`, the number of kernels that run at once. Error: the
// machine's fault.
[[nodiscard]] Result<Runs> run_cases(kernels::Device& device, const std::vector<LabSpec>& labs,
                                     const std::vector<RunKey>& keys, unsigned jobs);

}  // namespace histolab::grader::lessons
