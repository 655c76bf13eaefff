// Checks: what a lab's rubric asks of the cases, one function per kind. Each failure is told as a
// teacher would: what was expected, what came, on which case; then the lab's own hint. A kernel
// that counts nothing at all earns nothing by what it does not do: checks that it would pass are
// not judged.
#pragma once

#include <vector>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

// `cases` are those that were chosen, in the lab's order; a check is judged on those that it names.
// `timed`: of a GPU or the model; what a GPU saw counts for results and findings too.
[[nodiscard]] CheckResult judge_check(const LabSpec& lab, const CheckSpec& check,
                                      const std::vector<CaseResult>& cases,
                                      const std::vector<TimedCaseResult>& timed = {},
                                      const LocalMemory& local = {});

}  // namespace histolab::grader
