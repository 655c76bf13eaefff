// Explanations: reasons for a failed check that the cases of the check alone do not show. Each
// explain_ function
// changes the texts of `judged`, never its points, and only if its reason applies.
#pragma once

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

// The kernel lacks an export of the lab, and its absence may cause this failure.
void explain_absent_export(const LabSpec& lab, const CheckSpec& check,
                           const kernels::Compiled& compiled, const LabResult& result,
                           CheckResult& judged);

// The counts of `wrong` are right in the default order of threads and blocks; or already if only
// blocks run in it.
void explain_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged);
// The same of a check that found nothing: it fails, since a result that depends on the order is a
// race, too.
void report_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged);

// The source itself shows why the counts are wrong, or why an input was read beyond its end
// (source_causes.h).
void explain_by_source(const LabSpec& lab, const LabResult& result, CheckResult& judged);

// The launch that is to blame is a later one of its case, and began with other values of
// `__device__` variables than the first. `result` has the cases and the submission.
void explain_kept_variables(const LabResult& result, CheckResult& judged);

// Keeps one advice for a failed check, in `hint`, so that each report prints the same sentence: the
// one for this very mistake if there is one, else what the lab says. Comes last.
void keep_one_advice(CheckResult& judged);

}  // namespace histolab::grader
