// Descriptions of findings, diagnostics and times (reference/fields.h), for messages between
// processes and for reports.
#pragma once

#include "kernels/device.h"
#include "reference/fields.h"

namespace histolab::kernels {

// Limits that any readable report on a kernel keeps, in bytes.
inline constexpr std::size_t longest_name = 1024, longest_message = 8192;

template <class F, Describes<ThreadId> Value>
void fields(F& f, Value& id) {
  f.row("block", id.block.x, id.block.y, id.block.z);
  f.row("thread", id.thread.x, id.thread.y, id.thread.z);
}

template <class F, Describes<Finding> Value>
void fields(F& f, Value& finding) {
  f("kind", finding.kind), f("severity", finding.severity), f("space", finding.space);
  f.or_null("variable", finding.variable, longest_name);
  f.or_null("index", finding.index);
  f.or_null("line", finding.line, 1), f.or_null("other_line", finding.other_line, 1);
  f.if_set("file", finding.file, longest_name);
  f.if_set("other_file", finding.other_file, longest_name);
  f.or_null("thread", finding.thread), f.or_null("other_thread", finding.other_thread);
  f("count", finding.count, 1);
  f("message", finding.message, longest_message);
}

template <class F, Describes<Diagnostic> Value>
void fields(F& f, Value& diagnostic) {
  f("severity", diagnostic.severity);
  f.or_null("line", diagnostic.line, 1), f.or_null("column", diagnostic.column, 1);
  f.lines("message", diagnostic.message, longest_message);
}

template <class F, Describes<Timing> Value>
void fields(F& f, Value& timing) {
  f("median_ms", timing.median_ms), f("low_ms", timing.low_ms), f("high_ms", timing.high_ms);
  f("samples_ms", timing.samples_ms);
  f.or_null("alone_ms", timing.alone_ms);
  f.or_null("sm_clock_mhz", timing.sm_clock_mhz, 0);
  f.or_null("throttled_by", timing.throttled_by, longest_name);
  std::string clock = timing.by_host_clock ? "host" : "device";
  f("clock", clock);
  if constexpr (!F::writes) timing.by_host_clock = clock == "host";
}

}  // namespace histolab::kernels
