// Problems: a report in the format of compilers, for the problem lists of editors.
//
//    work/02-atomic-add.cu:9:1: error: no_findings: case mixed-256 (...): data_race: ...
//
// One line per problem: FILE:LINE:COLUMN: SEVERITY: MESSAGE. Per lab: the compiler's diagnostics
// (`error` or `warning`), then the first failing check (`error`) with its notes (`note`): the
// cause, the other line of a race, the suggestion. A problem without a line gets line 1. A lab
// without a file, or one that this machine could not run, has no problems; the summary names it.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace histolab::grader {

[[nodiscard]] std::string to_problems(const Report& report);

// The result of each lab that has a file: "histolab: 02-atomic-add: failed, 5 of 10 points". If no
// lab has a file, one line says so.
[[nodiscard]] std::string to_summary(const Report& report);

}  // namespace histolab::grader
