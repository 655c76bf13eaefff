// A source with its findings in the margin: its lines with their numbers, what is wrong with a line
// below it, as in `explain --html`.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace histolab::class_report {

// Empty where the text of the submission is not known. What is longer than a page can hold is cut,
// and it says so.
[[nodiscard]] std::string source_view(const grader::LabResult& result);

}  // namespace histolab::class_report
