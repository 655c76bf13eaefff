// ThroughputHistory: how fast launches were, over their time of arrival. There is one point per
// launch, or on a GPU one per timed sample. Each point says whether it is measured or modelled.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "viewer/model/run_summary.h"

namespace histolab::viewer {

struct ThroughputPoint {
  double at_s = 0;  // time of arrival
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
  void clear() {
    points_.clear();
    left_out_ = 0;
  }

 private:
  std::deque<ThroughputPoint> points_;
  std::uint64_t left_out_ = 0;
};

// Number of atomic updates of a launch, in global and in shared memory.
[[nodiscard]] double atomic_updates(const RunSummary& run);

}  // namespace histolab::viewer
