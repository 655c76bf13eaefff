// Reports as JSON: `histolab/report/1` (docs/report.schema.json) and `histolab/run/1`
// (docs/run.schema.json).
//
// The same value gives the same bytes. Invalid UTF-8 is replaced: a kernel may print anything.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/report/report.h"

namespace histolab::grader {

[[nodiscard]] std::string to_json(const Report& report);
// One lab of a report as a JSON value, for storage lab by lab. report_reader.h reads it back.
[[nodiscard]] nlohmann::ordered_json json_of(const LabResult& lab,
                                             const std::string& device_kind = "emulator");
// A timed case, with at most `most_mismatches` of its mismatches.
inline constexpr std::size_t mismatches_of_a_report = 64;
[[nodiscard]] nlohmann::ordered_json json_of(const TimedCaseResult& result,
                                             std::size_t most_mismatches = mismatches_of_a_report);

[[nodiscard]] std::string to_json(const RunReport& run);
// The same as a JSON value, for documents that contain whole runs.
[[nodiscard]] nlohmann::ordered_json json_of(const RunReport& run);
// Serializes a value, on one line or indented, as in all reports: with invalid UTF-8 replaced and a
// newline at the end.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json, bool on_one_line = false);
// A counter's value, as an integer if it is whole.
[[nodiscard]] nlohmann::ordered_json json_of(double number);
// The counters that are not 0, by name.
[[nodiscard]] nlohmann::ordered_json nonzero(const std::vector<reference::CounterValue>& counters);
// The counters of a source line.
[[nodiscard]] nlohmann::ordered_json json_of(const reference::LineCounters& line);
// The values of an output.
[[nodiscard]] nlohmann::ordered_json values_of(const reference::Values& values);

}  // namespace histolab::grader
