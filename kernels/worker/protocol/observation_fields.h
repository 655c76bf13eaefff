// Descriptions of observations and launches (reference/fields.h), for messages between processes
// (json_parts.h).
#pragma once

#include <bit>

#include "kernels/device.h"
#include "kernels/worker/protocol/json_parts.h"

namespace histolab::reference {

// A source has thousands of lines, and most of them have few totals.
template <class F, Describes<LineCounters> Value>
void fields(F& f, Value& line) {
  f.as_row();
  f("line", line.line, 0), f("file", line.file, 0);
  f.sparse([&](auto&& add) { each_total(add, line.counters); });
}

template <class F, Describes<Counters> Value>
void fields(F& f, Value& counters) {
  f.as_row();
  const auto add = [&](auto& value) { f("", value); };
  add(counters.blocks), add(counters.threads), add(counters.block_size);
  add(counters.static_shared_bytes), add(counters.dynamic_shared_bytes);
  each_busiest(add, counters);
  each_total(add, counters);
}

template <class F, Describes<AtomicPressure::Element> Value>
void fields(F& f, Value& element) {
  f.as_row();
  f("index", element.index), f("updates", element.updates);
}

template <class F, Describes<AtomicPressure> Value>
void fields(F& f, Value& variable) {
  f.as_row();
  f("variable", variable.variable, kernels::longest_name), f("shared", variable.shared);
  f("element_bytes", variable.element_bytes), f("updates", variable.updates);
  f("elements", variable.elements), f("uncounted", variable.uncounted);
  f("top", variable.top, AtomicPressure::max_top);
}

}  // namespace histolab::reference

namespace histolab::kernels {

constexpr auto last_of(Argument::Kind) { return Argument::Kind::word; }

template <class F, Describes<LaunchConfig> Value>
void fields(F& f, Value& config) {
  f.row("grid", config.grid.x, config.grid.y, config.grid.z);
  f.row("block", config.block.x, config.block.y, config.block.z);
  f("shared", config.dynamic_shared_bytes), f("opt_in", config.shared_opt_in);
  f("profile", config.profile);
}

// The first fields of an access and of a step.
template <class F, class Value>
void access_fields(F& f, Value& access) {
  f("line", access.line, 0), f("file", access.file, 0), f("operation", access.operation),
      f("space", access.space);
  f.require(access.space == Space::global || access.space == Space::shared);
  f.listed("variable", access.variable);
}

// Has the offsets of active lanes only.
template <class F, Describes<RecordedAccess> Value>
void fields(F& f, Value& access) {
  f.as_row();
  f("block", access.block), f("warp", access.warp, 0, 31);
  access_fields(f, access);
  f("bytes", access.bytes, 1, 16), f("active", access.active, 1), f("base", access.base);
  f.require(std::has_single_bit(access.bytes));
  f("sectors", access.sectors, 0, 64), f("wavefronts", access.wavefronts, 0, 128);
  f("same_address_degree", access.same_address_degree, 0, 32);
  for (std::size_t lane = 0; lane < access.offset.size(); ++lane)
    if ((access.active >> lane & 1) != 0) f("offset", access.offset[lane]);
  if constexpr (!F::writes)
    for (std::size_t lane = 0; lane < access.offset.size(); ++lane)
      if ((access.active >> lane & 1) == 0)
        access.offset[lane] =
            access.offset[static_cast<std::size_t>(std::countr_zero(access.active))];
}

template <class F, Describes<RecordedStep> Value>
void fields(F& f, Value& step) {
  f.as_row();
  f("block", step.block), f("thread", step.thread, 0, 1023);
  access_fields(f, step);
  f("index", step.index), f("bytes", step.bytes, 1, 8);
  f.require(std::has_single_bit(step.bytes));
  f("before", step.before), f("after", step.after);
}

template <class F, Describes<UnreadBytes> Value>
void fields(F& f, Value& unread) {
  f("bytes", unread.bytes), f("first", unread.first);
}

template <class F, Describes<Observation> Value>
void fields(F& f, Value& observation) {
  f("ending", observation.ending);
  f("detail", observation.ending_detail, longest_message);
  f("counters", observation.counters), f("lines", observation.lines, worker::most_lines);
  f("files", observation.files, worker::most_variables, longest_name);
  f("pressure", observation.pressure, worker::most_variables);
  f("findings", observation.findings, worker::most_findings);
  f.or_null("unread", observation.unread);
  f("kept", observation.kept_variables, worker::most_variables, longest_name);
  f.lines("printed", observation.printed, worker::longest_print);
  f("elapsed_s", observation.host_elapsed_s);
  f.recorded("accesses", observation.accesses, Options::most_recorded);
  f.recorded("steps", observation.steps, Options::most_recorded);
  f.or_null("timing", observation.timing);
}

}  // namespace histolab::kernels
