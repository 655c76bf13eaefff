#include "viewer/model/run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/model/run_fields.h"

namespace histolab::viewer {

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

RunSummary RunSummary::in_file(const std::string& file) const {
  RunSummary shown = *this;
  std::erase_if(shown.lines, [&](const LineCounters& each) { return each.file != file; });
  const auto place = [](const std::string& of, int line) { return fmt::format("{}:{}", of, line); };
  for (Diagnostic& each : shown.diagnostics) {
    if (each.file == file) continue;
    if (each.line > 0)
      each.message = fmt::format("{}: {}", place(each.file, each.line), each.message);
    each.line = 0;
  }
  for (Finding& each : shown.findings) {
    if (each.other_file.empty()) each.other_file = each.file;
    if (each.file != file) {
      if (each.line > 0)
        each.message = fmt::format("{}: {}", place(each.file, each.line), each.message);
      each.line = each.other_file == file ? each.other_line : 0;
      each.other_line = 0;
    } else if (each.other_file != file) {
      each.other_line = 0;
    }
  }
  return shown;
}

RunSummary run_summary(const Json& report) { return read_leniently<RunSummary>(report); }

}  // namespace histolab::viewer
