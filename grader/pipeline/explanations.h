// Explanations: reasons for a failed check that the cases of the check alone do not show. Each
// explain_ function
// changes the texts of `judged`, never its points, and only if its reason applies.
#pragma once

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

// Applies if the kernel lacks an export of the lab, and its absence may cause this failure.
void explain_absent_export(const LabSpec& lab, const CheckSpec& check,
                           const kernels::Compiled& compiled, const LabResult& result,
                           CheckResult& judged);

// Applies if the counts of `wrong` are right in the default order of threads and blocks; with
// `of_blocks`, if they are right as soon as the blocks run in order.
void explain_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged);
// Fails a check that found nothing: a result that depends on the order is a race, too.
void report_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged);

// Applies if the source itself shows why the counts are wrong, or why an input was read beyond its
// end (source_causes.h).
void explain_by_source(const LabSpec& lab, const LabResult& result, CheckResult& judged);

// Applies if a later launch of a case fails and began with other values of `__device__` variables
// than the first one. `result` has the cases and the submission.
void explain_kept_variables(const LabResult& result, CheckResult& judged);

// Keeps one advice for a failed check, in `hint`, so that all reports print the same sentence. The
// advice for the specific mistake comes before the lab's hint. Must be called last.
void keep_one_advice(CheckResult& judged);

}  // namespace histolab::grader
