// TimingProfile: the measured rates and costs of one GPU, the input of the time model.
// histolab-calibrate measures them; kernels/cuda/calibration describes each measurement.
// profiles/<name>.json stores them with date, driver and device (docs/model.md, "A profile").
// grader/pipeline/profile_json.h reads that file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histolab::reference {

// A rate or cost at several settings x. Between two points it is interpolated linearly on
// logarithmic axes. Beyond the ends it has the value of the nearest point.
class MeasuredCurve {
 public:
  MeasuredCurve() = default;
  // `points` has at least one point; x rises; x and y are > 0.
  explicit MeasuredCurve(std::vector<std::pair<double, double>> points)
      : points_(std::move(points)) {}
  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double first() const { return points_.front().second; }
  [[nodiscard]] double last() const { return points_.back().second; }
  [[nodiscard]] const std::vector<std::pair<double, double>>& points() const { return points_; }

 private:
  std::vector<std::pair<double, double>> points_;
};

struct TimingProfile {
  std::string name;                  // of the file: "h200"
  std::string device, driver, date;  // "NVIDIA H200", "580.159.04", "2026-11-22"
  std::uint32_t multiprocessors = 0;
  double sm_ghz = 0;  // under load

  // Launch and blocks.
  double launch_ns = 0;       // between two events around an empty launch, queued behind other work
  MeasuredCurve block_ns;     // time of an SM to start and end a block, by the block's threads
  double barrier_clocks = 0;  // of an SM, per arriving warp

  // Reading. Figures in ns are for the whole GPU, figures in clocks for one SM.
  double dram_sectors_per_ns = 0, l2_sectors_per_ns = 0;
  double loaded_latency_ns = 0;  // a load from DRAM on a full GPU, one load in flight per thread
  double l1_latency_clocks = 0, shared_latency_clocks = 0, l2_latency_clocks = 0;
  double plain_update_ns = 0;     // a warp's load and store of a line that every warp updates
  double volatile_update_ns = 0;  // the same, bypassing the L1

  // Atomics in global memory.
  double hot_pass_ns = 0;  // one pass of a request on a line that all warps update
  // Speed-up by the number of lines that the requests are spread over; 1 at one line.
  MeasuredCurve line_parallelism;
  // Time per success of a compare-and-swap loop, by the threads that compete for the word.
  MeasuredCurve swap_ns;

  // Shared memory, in clocks of an SM.
  double shared_wavefront_clocks = 1;  // per wavefront of loads, stores and atomic additions
  double shared_swap_clocks = 2;       // per compare-and-swap
  // Per success of a compare-and-swap loop, by the threads of the block that compete for the word.
  MeasuredCurve shared_swap_loop;
};

}  // namespace histolab::reference
