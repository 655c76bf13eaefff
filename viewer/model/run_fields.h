// Descriptions of the values of runs and reports that the viewer draws (reference/fields.h).
#pragma once

#include "reference/fields.h"
#include "viewer/model/json_access.h"
#include "viewer/model/run_summary.h"

namespace histolab::viewer {

template <class F, Describes<Finding> Value>
void fields(F& f, Value& finding) {
  f("kind", finding.kind), f("severity", finding.severity), f("variable", finding.variable);
  f("message", finding.message), f("line", finding.line), f("other_line", finding.other_line);
  f("file", finding.file), f("other_file", finding.other_file), f("count", finding.count);
}
template <class F, Describes<Diagnostic> Value>
void fields(F& f, Value& diagnostic) {
  f("severity", diagnostic.severity), f("message", diagnostic.message), f("line", diagnostic.line);
  f("file", diagnostic.file);
}
template <class F, Describes<LineCounters> Value>
void fields(F& f, Value& line) {
  f("line", line.line), f("file", line.file), f("counters", line.counters);
}
template <class F, Describes<Modelled> Value>
void fields(F& f, Value& modelled) {
  f("profile", modelled.profile), f("bound_by", modelled.bound_by);
  f("median_ms", modelled.median_ms), f("typical_error", modelled.typical_error);
}
template <class F, Describes<Measured> Value>
void fields(F& f, Value& measured) {
  f("median_ms", measured.median_ms), f("samples_ms", measured.samples_ms);
}
template <class F, Describes<RunSummary> Value>
void fields(F& f, Value& run) {
  f("program", run.program), f("title", run.title);
  f("exit_status", run.exit_status), f("signal", run.signal);
  f("lab", run.lab), f("kernel", run.kernel), f("dataset", run.dataset);
  f.group("device",
          [&](auto& device) { device("kind", run.device_kind), device("name", run.device_name); });
  f("ending", run.ending), f("ending_detail", run.ending_detail), f("length", run.length);
  f("grid", run.grid), f("block", run.block), f("correct", run.correct);
  f("counters", run.counters), f("lines", run.lines), f("findings", run.findings);
  f("diagnostics", run.diagnostics), f("histogram", run.histogram);
  f("modelled", run.modelled), f("timing", run.measured);
}

}  // namespace histolab::viewer
