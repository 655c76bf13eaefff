// Problems: a report as compilers write theirs, for the lists of problems that editors keep.
//
//   work/02-atomic-add.cu:9:1: error: no_findings: case mixed-256 (...): data_race: ...
//
// One line each: FILE:LINE:COLUMN: SEVERITY: MESSAGE. For each lab what the compiler says (`error`,
// or `warning`), then the first failing check (`error`) and what belongs to it (`note`): its cause,
// the other line of a race, what to try. What has no line of its own is told in line 1. A lab that
// has no file, or that this machine could not run, has no problem; the summary names it.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace histolab::grader {

[[nodiscard]] std::string to_problems(const Report& report);

// How each lab that has a file ended: "histolab: 02-atomic-add: failed, 5 of 10 points". One line
// that says so when none has.
[[nodiscard]] std::string to_summary(const Report& report);

}  // namespace histolab::grader
