// ThroughputHistory: how fast launches were, one point a launch (of a GPU: one a timed sample),
// over the time at which they came. What was measured and what a model says are never mixed: each
// point says which it is.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "viewer/model/run_summary.h"

namespace histolab::viewer {

struct ThroughputPoint {
  double at_s = 0;  // when it came
  double elements_per_s = 0, atomics_per_s = 0;
  bool measured = false;
  std::string label;  // "02-atomic-add, english"
};

class ThroughputHistory {
 public:
  static constexpr std::size_t most_points = 4096;

  // A launch that did not complete, or has no time, adds no point and is counted in left_out().
  void add(const RunSummary& run, double now_s);
  [[nodiscard]] const std::deque<ThroughputPoint>& points() const { return points_; }
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  void clear() { points_.clear(), left_out_ = 0; }

 private:
  std::deque<ThroughputPoint> points_;
  std::uint64_t left_out_ = 0;
};

// Atomic updates that a launch made, in global and in shared memory.
[[nodiscard]] double atomic_updates(const RunSummary& run);

}  // namespace histolab::viewer
