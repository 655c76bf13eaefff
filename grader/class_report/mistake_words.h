// Names of mistakes, in the field's words. A finding's name has its kind, its variable or memory
// space, and its cause. The name of wrong counts says how they are wrong.
#pragma once

#include <string>

#include "grader/class_report/anonymous_code.h"
#include "grader/report/report.h"

namespace histolab::class_report {

// "data race on histo: updated without an atomic operation". Contains none of a student's own
// names.
[[nodiscard]] std::string mistake_of(const kernels::Finding& finding, const CourseWords& words);

// "some elements are not counted", "more is counted than there is", "nothing is counted", "counted
// in the wrong bins" or "counts are wrong". Empty if every completed case is right.
[[nodiscard]] std::string wrong_counts(const grader::LabResult& lab);

}  // namespace histolab::class_report
