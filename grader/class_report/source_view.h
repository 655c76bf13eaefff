// A source with its findings: numbered lines, with the findings of a line below it, as in
// `explain --html`.
#pragma once

#include "grader/html/html.h"
#include "grader/report/report.h"

namespace histolab::class_report {

// Returns nothing if the text of the submission is unknown. Cuts a source or a line that is too
// long for the page; a cut source says so.
[[nodiscard]] grader::Html source_view(const grader::LabResult& result);

}  // namespace histolab::class_report
