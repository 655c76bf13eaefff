// TimeModel: how long a launch would take on a GPU, from the emulator's counters alone.
//
// A roofline with more than two roofs. Each term is what one resource would need if it alone were slow: DRAM, L2, the
// load/store units with shared memory, the passes of global atomics on the lines that they meet on, compare-and-swap loops, the
// chain of waits of each block's busiest warp, instruction issue, the scheduling of blocks. All that they cost comes
// from a measured TimingProfile; one number is fitted to measured kernels: docs/model.md has it, and the error that
// one should expect. What the counters cannot say is taken as follows:
//   - instructions: so many clocks of an SM for each memory request (the emulator runs x86 code, not the GPU's);
//   - local arrays: they fit the L1; each load waits for it;
//   - what lies in the L1: bytes beyond the input's size are repeats that hit; of the rest, each sector comes from DRAM once and is
//     then in the L1, if the sectors that all resident warps are at fit there;
//   - a loop waits for each load before the next one (nvcc unrolls some loops; their time is then less).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/counters.h"
#include "reference/timing_profile.h"

namespace histolab::reference {

// One launch, as counted.
struct Workload {
  Counters counters;
  std::vector<AtomicPressure> pressure;
  std::uint64_t input_bytes = 0;  // of the data that the kernel reads: length x bytes of an element
};

// The same kernel in a launch of `blocks` blocks with as much work for each thread: from two launches of the same block size
// and the same work per thread, `fewer` of fewer blocks and `more` of more. Each counter is continued on the line through the
// two; a variable whose updated elements grew with the blocks (a copy for each block) goes on growing.
[[nodiscard]] Workload extended(const Workload& fewer, const Workload& more, std::uint64_t blocks);

// What is no figure of a profile.
struct ModelFit {
  // Clocks of an SM for each memory request: the instructions around it. Fitted to the kernels and datasets of
  // docs/measurements/h100-model.json at 2^24 elements; those of an H200 gave the same.
  double issue_clocks = 3;
  // Clocks of an SM for each sector of a store to local memory. Measured on an H100: 3.3 to 4.0 if
  // the arrays of all resident threads fit the L1 (docs/model.md).
  double local_store_clocks = 3.5;
  // Terms are added as a norm of this order: 1 is one after the other, infinity full overlap. Seen while calibrating, not fitted:
  // loads of 1 to 16 bytes that wait for each other (`one_load_by_width`) take sqrt(waiting^2 + reading^2) to 6 %.
  double overlap = 2;
};

struct TimeEstimate {
  struct Term {
    std::string_view name;  // "dram", "atomics", ...: docs/model.md
    double ns = 0;
  };
  std::vector<Term> terms;    // in a fixed order; 0 where a launch asks nothing of it
  std::string_view bound_by;  // the largest
  double total_ns = 0;
};

// What one should expect of a prediction, rounded up: half of the course's kernels were off by no more than 1.08 on an H100 and 1.11 on an H200
// (docs/measurements/h100-model.json and h200-model.json, one kernel left out).
inline constexpr double typical_error = 1.15;
// Nine of ten were off by no more than 1.61 and 1.76.
inline constexpr double error_of_nine_in_ten = 1.8;

[[nodiscard]] TimeEstimate estimate(const TimingProfile& profile, const Workload& launch, const ModelFit& fit = {});

// Where global atomics go. For the model and its test.
struct AtomicSpread {
  double lines = 1;          // over which they are spread, counting a line by its share
  double hottest_share = 0;  // of all updates, on one element
};
[[nodiscard]] AtomicSpread atomic_spread(const Workload& launch);

}  // namespace histolab::reference
