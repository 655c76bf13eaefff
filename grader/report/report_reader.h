// A report's JSON (report_json.h) read back: `histolab/report/1`, or one lab of it, from a text
// that may be anybody's.
//
// What was written and is read can be written again to the same bytes. What the JSON does not hold
// is not in the value either:
//   Submission::text; LabResult::local_memory;
//   CheckResult: about. Older reports lack cause, tells_cause, hint_fits, of_quiz and launch; the
//   first ones also the parts of `seen`; CaseResult and TimedCaseResult: of the shape only length,
//   bins, grid and block; runs, totals, lines, pressure, findings of the case, accesses, modelled;
//   mismatches beyond the 64th of a case, which are counted (mismatches_left_out).
// Counters that this version does not know are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

// `name` is what messages call the text: its file, most likely. Error: it is no JSON, not of this
// schema, or contradicts itself (a score above its maximum, a total that is not the sum); the
// message has the place as a JSON pointer.
[[nodiscard]] Result<Report> report_from_json(std::string_view text, const std::string& name);
// Error: also where there is no such file, or one that is too large to be a report.
[[nodiscard]] Result<Report> read_report(const std::string& path);
[[nodiscard]] Result<LabResult> lab_result_from_json(std::string_view text,
                                                     const std::string& name);
// {"timed_cases": [...]}, as json_of(TimedCaseResult) writes each, with any number of mismatches.
[[nodiscard]] Result<std::vector<TimedCaseResult>> timed_cases_from_json(std::string_view text,
                                                                         const std::string& name);

}  // namespace histolab::grader
