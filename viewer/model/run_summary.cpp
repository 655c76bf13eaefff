#include "viewer/model/run_summary.h"

#include <algorithm>

#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

Counters counters_in(const Json& object) {
  Counters counters;
  if (!object.is_object()) return counters;
  for (const auto& [name, value] : object.items())
    if (value.is_number()) counters[name] = value.get<double>();
  return counters;
}

std::optional<Modelled> modelled_in(const Json& object) {
  if (!object.is_object()) return {};
  return Modelled{text(object, "profile"), text(object, "bound_by"),
                  number<double>(object, "median_ms"), number<double>(object, "typical_error", 1)};
}

std::optional<Measured> measured_in(const Json& object) {
  if (!object.is_object()) return {};
  return Measured{number<double>(object, "median_ms"), numbers<double>(object, "samples_ms")};
}

}  // namespace

double RunSummary::counter(const std::string& name) const {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

double RunSummary::milliseconds() const {
  if (measured) return measured->median_ms;
  return modelled ? modelled->median_ms : 0;
}

const LineCounters* RunSummary::at_line(int line) const {
  const auto found = std::ranges::find(lines, line, &LineCounters::line);
  return found == lines.end() ? nullptr : &*found;
}

std::vector<Finding> findings_in(const Json& report) {
  std::vector<Finding> findings;
  for (const Json& each : at(report, "findings"))
    findings.push_back({text(each, "kind"), text(each, "severity"), text(each, "variable"),
                        text(each, "message"), number<int>(each, "line"),
                        number<int>(each, "other_line"), number<double>(each, "count")});
  return findings;
}

std::vector<Diagnostic> diagnostics_in(const Json& report) {
  std::vector<Diagnostic> diagnostics;
  for (const Json& each : at(report, "diagnostics"))
    diagnostics.push_back(
        {text(each, "severity"), text(each, "message"), number<int>(each, "line")});
  return diagnostics;
}

RunSummary run_summary(const Json& report) {
  RunSummary run;
  run.lab = text(report, "lab");
  run.kernel = text(report, "kernel");
  run.dataset = text(report, "dataset");
  run.device_kind = text(at(report, "device"), "kind");
  run.device_name = text(at(report, "device"), "name");
  run.ending = text(report, "ending");
  run.ending_detail = text(report, "ending_detail");
  run.length = number<std::uint64_t>(report, "length");
  run.grid = number<std::uint32_t>(report, "grid");
  run.block = number<std::uint32_t>(report, "block");
  run.correct = flag(report, "correct");
  run.counters = counters_in(at(report, "counters"));
  for (const Json& each : at(report, "lines"))
    run.lines.push_back({number<int>(each, "line"), counters_in(at(each, "counters"))});
  run.findings = findings_in(report);
  run.diagnostics = diagnostics_in(report);
  run.histogram = numbers<std::uint64_t>(report, "histogram");
  run.modelled = modelled_in(at(report, "modelled"));
  run.measured = measured_in(at(report, "timing"));
  return run;
}

}  // namespace histolab::viewer
