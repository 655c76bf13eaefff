#include "viewer/model/throughput.h"

#include <algorithm>

#include <fmt/format.h>

namespace histolab::viewer {

double atomic_updates(const RunSummary& run) {
  return run.counter("histolab__global_atomic_updates.sum") +
         run.counter("histolab__shared_atomic_updates.sum");
}

void ThroughputHistory::add(const RunSummary& run, double now_s) {
  const double updates = atomic_updates(run);
  const auto point = [&](double ms, bool measured) {
    if (ms <= 0) return;
    points_.push_back({now_s, static_cast<double>(run.length) / (ms / 1000), updates / (ms / 1000),
                       measured, fmt::format("{}, {}", run.lab, run.dataset)});
  };
  if (run.ending != "completed" || run.milliseconds() <= 0) {
    ++left_out_;
    return;
  }
  if (run.measured && !run.measured->samples_ms.empty()) {
    for (const double ms : run.measured->samples_ms) point(ms, true);
  } else {
    point(run.milliseconds(), run.measured.has_value());
  }
  while (points_.size() > most_points) points_.pop_front();
}

}  // namespace histolab::viewer
