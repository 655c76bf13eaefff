// Checks: judges the cases by the lab's rubric, one function per kind of check. A failure says what
// was expected, what the kernel did and in which case, then gives the lab's own hint. A kernel that
// counts nothing gets no points for checks that it passes only by doing nothing.
#pragma once

#include <vector>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

// Judges one check. `cases` are the chosen cases in the lab's order; only those that the check
// names matter. `timed` are times of a GPU or the model; wrong results and findings of a GPU count
// for the other checks too.
[[nodiscard]] CheckResult judge_check(const LabSpec& lab, const CheckSpec& check,
                                      const std::vector<CaseResult>& cases,
                                      const std::vector<TimedCaseResult>& timed = {},
                                      const LocalMemory& local = {});

}  // namespace histolab::grader
