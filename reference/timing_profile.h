// TimingProfile: what one GPU was measured to do, as the numbers that the model computes with.
//
// histolab-calibrate measures them (kernels/cuda/calibration says how each one is made), profiles/<name>.json keeps them with
// date, driver and device, and grader/pipeline/profile_json.h reads that. A curve is what a rate or cost came to at several settings;
// between two of them it is interpolated on logarithmic axes, beyond the ends it stays as it is there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histolab::reference {

class MeasuredCurve {
 public:
  MeasuredCurve() = default;
  // Rising x, x and y > 0, at least one point.
  explicit MeasuredCurve(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {}
  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double first() const { return points_.front().second; }
  [[nodiscard]] double last() const { return points_.back().second; }
  [[nodiscard]] const std::vector<std::pair<double, double>>& points() const { return points_; }

 private:
  std::vector<std::pair<double, double>> points_;
};

struct TimingProfile {
  std::string name;                  // "h200": of the file
  std::string device, driver, date;  // "NVIDIA H200", "580.159.04", "2026-11-22"
  std::uint32_t multiprocessors = 0;
  double sm_ghz = 0;                 // under load

  // Launch and blocks.
  double launch_ns = 0;        // between two events around an empty launch behind other work
  MeasuredCurve block_ns;      // of an SM: starting and ending a block, by its threads
  double barrier_clocks = 0;   // of an SM, for each warp that arrives

  // Reading. "ns" figures are of the whole GPU, "clocks" of one SM.
  double dram_sectors_per_ns = 0, l2_sectors_per_ns = 0;
  double loaded_latency_ns = 0;  // a load from DRAM in a full GPU, one in flight per thread
  double l1_latency_clocks = 0, shared_latency_clocks = 0, l2_latency_clocks = 0;
  double plain_update_ns = 0;     // a warp's load and store of a line that every warp updates
  double volatile_update_ns = 0;  // the same past the L1

  // Atomics in global memory.
  double hot_pass_ns = 0;        // one pass of a request on a line that all warps meet
  MeasuredCurve line_parallelism;  // how many times faster, by the lines that requests are spread over; 1 at one line
  MeasuredCurve swap_ns;         // of a compare-and-swap loop that succeeds, by the threads that want the word

  // Shared memory, clocks of an SM.
  double shared_wavefront_clocks = 1;  // of loads, stores and atomic additions
  double shared_swap_clocks = 2;       // of a compare-and-swap
  MeasuredCurve shared_swap_loop;      // of a compare-and-swap loop that succeeds, by the threads of the block that want the word
};

}  // namespace histolab::reference
