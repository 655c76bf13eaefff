// TimeModel: predicts the time of a launch on a GPU from the emulator's counters alone.
//
// It is a roofline with more than two roofs. Each term is the time that one resource needs. Rates
// and costs come from a measured TimingProfile. docs/model.md explains the terms, the assumptions,
// the fitted numbers and the expected error.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/counters.h"
#include "reference/timing_profile.h"

namespace histolab::reference {

// The counts of one launch.
struct Workload {
  Counters counters;
  std::vector<AtomicPressure> pressure;
  std::uint64_t input_bytes = 0;  // size of the data that the kernel reads
};

// Extrapolates to a launch of `blocks` blocks. `fewer` and `more` are launches of the same kernel
// with fewer and more blocks; block size and work per thread are the same. Each counter follows the
// line through these two launches. If a variable's updated elements grow with the blocks (a copy
// per block), they continue to grow.
[[nodiscard]] Workload extended(const Workload& fewer, const Workload& more, std::uint64_t blocks);

// Numbers of the model that are not in a profile.
struct ModelFit {
  // Clocks of an SM per memory request, for the instructions around it. Fitted to the kernels and
  // datasets of docs/measurements/h100-model.json at 2^24 elements. Those of an H200 give the same.
  double issue_clocks = 3;
  // Clocks of an SM per sector of a store to local memory. Measured on an H100: 3.3 to 4.0 if the
  // arrays of all resident threads fit the L1 (docs/model.md).
  double local_store_clocks = 3.5;
  // Order of the norm that adds the terms: 1 means no overlap, infinity full overlap. Not fitted,
  // but found while calibrating: loads of 1 to 16 bytes that wait for each other
  // (`one_load_by_width`) take sqrt(waiting^2 + reading^2) to 6 %.
  double overlap = 2;
};

struct TimeEstimate {
  struct Term {
    std::string_view name;  // "dram", "atomics", ...: docs/model.md
    double ns = 0;
  };
  std::vector<Term> terms;    // in a fixed order; 0 if the launch does not use the resource
  std::string_view bound_by;  // name of the largest term, or "launch" if the overhead is larger
  double total_ns = 0;
};

// Expected error of a prediction, as a factor, rounded up. Half of the course's kernels were off by
// at most 1.08 on an H100 and 1.11 on an H200 (docs/measurements/h100-model.json and
// h200-model.json, one kernel left out).
inline constexpr double typical_error = 1.15;
// The same for nine of ten kernels: at most 1.61 and 1.76.
inline constexpr double error_of_nine_in_ten = 1.8;

[[nodiscard]] TimeEstimate estimate(const TimingProfile& profile, const Workload& launch,
                                    const ModelFit& fit = {});

// Distribution of the global atomic updates over memory. For the model and its test.
struct AtomicSpread {
  double lines = 1;          // effective number of lines: 1 / sum of squared shares of the updates
  double hottest_share = 0;  // share of all updates that the busiest element has
};
[[nodiscard]] AtomicSpread atomic_spread(const Workload& launch);

}  // namespace histolab::reference
