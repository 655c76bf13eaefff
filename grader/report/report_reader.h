// Reads a report (`histolab/report/1`, report_json.h), or one lab of it, from untrusted JSON.
//
// Writing the value again gives the same bytes. These members are not in the JSON:
// - Submission::text, LabResult::local_memory and CheckResult::about;
// - the shape of a case except length, bins, grid and block;
// - runs, totals, lines, pressure, findings, accesses and modelled of a case;
// - mismatches of a case after the 64th, which mismatches_left_out counts.
// Older reports lack cause, tells_cause, hint_fits, of_quiz and launch; the first ones also `seen`.
// Unknown counters are dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

// `name` is the name of the text in messages, such as its file. Returns an Error if the text is not
// JSON, not of this schema, or inconsistent (a score above its maximum, a total that is not the
// sum). The message has a JSON pointer.
[[nodiscard]] Result<Report> report_from_json(std::string_view text, const std::string& name);
// Also returns an Error if the file is missing or too large.
[[nodiscard]] Result<Report> read_report(const std::string& path);
[[nodiscard]] Result<LabResult> lab_result_from_json(std::string_view text,
                                                     const std::string& name);
// {"timed_cases": [...]}, as json_of(TimedCaseResult) writes each, with any number of mismatches.
[[nodiscard]] Result<std::vector<TimedCaseResult>> timed_cases_from_json(std::string_view text,
                                                                         const std::string& name);

}  // namespace histolab::grader
