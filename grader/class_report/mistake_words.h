// What a mistake is called, in the field's words: of a finding by its kind, what it is about and
// how it came; of wrong counts by how they are wrong.
#pragma once

#include <string>

#include "grader/class_report/anonymous_code.h"
#include "grader/report/report.h"

namespace histolab::class_report {

// "data race on histo: updated without an atomic operation". A student's own names are not in it.
[[nodiscard]] std::string mistake_of(const kernels::Finding& finding, const CourseWords& words);

// "some elements are not counted", "more is counted than there is", "nothing is counted", "counted
// in the wrong bins", "counts are wrong"; empty where every case that completed is right.
[[nodiscard]] std::string wrong_counts(const grader::LabResult& lab);

}  // namespace histolab::class_report
