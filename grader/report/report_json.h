// Reports as JSON: `histolab/report/1` (docs/report.schema.json) and `histolab/run/1`
// (docs/run.schema.json).
//
// The same value gives the same bytes. Text that is no UTF-8 (a kernel may print anything) has its
// bad bytes replaced.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/report/report.h"

namespace histolab::grader {

[[nodiscard]] std::string to_json(const Report& report);
// One lab of a report, as a value: for what keeps labs one by one. report_reader.h reads it back.
[[nodiscard]] nlohmann::ordered_json json_of(const LabResult& lab,
                                             const std::string& device_kind = "emulator");
// A timed case, with at most so many of its mismatches.
inline constexpr std::size_t mismatches_of_a_report = 64;
[[nodiscard]] nlohmann::ordered_json json_of(const TimedCaseResult& result,
                                             std::size_t most_mismatches = mismatches_of_a_report);

[[nodiscard]] std::string to_json(const RunReport& run);
// The same as a value, for what holds whole runs.
[[nodiscard]] nlohmann::ordered_json json_of(const RunReport& run);
// The text of a value, as all reports are written: bad UTF-8 replaced, a newline at the end. On one
// line, or indented.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json, bool on_one_line = false);
// A counter's value: an integer where it is one.
[[nodiscard]] nlohmann::ordered_json json_of(double number);
[[nodiscard]] nlohmann::ordered_json values_of(
    const reference::Values& values);  // the values of an output

}  // namespace histolab::grader
