// Descriptions of findings and diagnostics (reference/fields.h), for worker messages and reports.
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
  f.or_null("thread", finding.thread), f.or_null("other_thread", finding.other_thread);
  f("count", finding.count, 1);
  f("message", finding.message, longest_message);
}

template <class F, Describes<Diagnostic> Value>
void fields(F& f, Value& diagnostic) {
  f("severity", diagnostic.severity);
  f.or_null("line", diagnostic.line, 1), f.or_null("column", diagnostic.column, 1);
  f("message", diagnostic.message, longest_message);
}

}  // namespace histolab::kernels
