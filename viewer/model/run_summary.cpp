#include "viewer/model/run_summary.h"

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

RunSummary run_summary(const Json& report) { return read_leniently<RunSummary>(report); }

}  // namespace histolab::viewer
