// One-byte samples, any bins: counts all 256 values, then folds them into the requested bins.
//
// With 32 copies of the counters, each lane has its own bank: the counter of value v for lane l is
// word v * 32 + l. So two lanes of a warp never collide, for any data, and a warp's 32 additions
// take one clock. A byte needs a shift, a LOP3 and an addition to shared memory. For few samples,
// so many counters are not worth clearing and adding up; they use four copies.
#include "kernels/cuda/binning.cuh"
#include "kernels/cuda/bytes.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stride.cuh"
#include "kernels/cuda/sweep.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {
namespace {

// One block per multiprocessor that loads one round ahead. At 2^30 bytes it is as fast as two
// blocks that do not. At 2^28 it is faster by 0.4 to 2.4 % of the read limit, because the
// beginnings and ends of blocks matter more.
using Long = Sweeping<1024, 4, 1>;
using Short = Striding<512, 1, 2>;
constexpr unsigned values = 256;

// `fold` means that bins are not simply the values. `assigned` means that there is one block, and
// at most `values` bins.
template <class Shape, unsigned log_copies>
__global__ __launch_bounds__(Shape::block_threads,
                             Shape::bound) void bytes(const __grid_constant__ Partition p,
                                                      Bins bins, bool fold, bool assigned,
                                                      Count* histogram) {
  constexpr unsigned loads = Shape::loads, copies = 1u << log_copies;
  __shared__ __align__(16) unsigned counts[values * copies];
  __shared__ unsigned bin_of[values], sums[values];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned lane_offset = lane % copies * 4;

  const auto prepare = [&] {
    uint4* const words = reinterpret_cast<uint4*>(counts);
    for (unsigned i = threadIdx.x; i < values * copies / 4; i += Shape::threads)
      words[i] = uint4{0, 0, 0, 0};
    if (fold) {
      if (threadIdx.x < values) sums[threadIdx.x] = 0;
      constexpr unsigned lanes = Shape::threads / values;
      const unsigned value = threadIdx.x / lanes, bin = bin_by_lanes<lanes>(bins, value);
      if (lane % lanes == 0) bin_of[value] = bin;
    }
  };
  // A value's counter begins at byte value * copies * 4, so the value is shifted left by `at` bits.
  constexpr unsigned at = 2 + log_copies;
  const auto add = [&](unsigned moved) {
    atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(counts) +
                                          ((moved & 0xffu << at) | lane_offset)),
              1u);
  };
  const auto add_word = [&](unsigned w) {
    add(w << at);
    add(w >> (8 - at));
    add(w >> (16 - at));
    add(w >> (24 - at));
  };
  const auto count = [&](const auto& v, auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) {
        add_word(v[i].x);
        add_word(v[i].y);
        add_word(v[i].z);
        add_word(v[i].w);
      }
  };
  const auto edge = [&](std::uint8_t byte) { add(static_cast<unsigned>(byte) << at); };
  Shape::template walk<std::uint8_t>(p, histogram, bins.count, prepare, edge, count);
  if (threadIdx.x >= Shape::threads) return;

  // Each warp adds up some values. Different blocks start with different values: all blocks end at
  // the same time, and the L2 handles requests to a line one after the other. With 32 copies, a
  // warp sums each value over its lanes; with few copies, a lane sums those of its own value.
  constexpr unsigned warps = log_copies == 5 ? Shape::threads / 32 : values / 32,
                     values_per_warp = values / warps;
  const unsigned first = (warp + blockIdx.x) % warps * values_per_warp;
  const bool owns_value = warp < warps && lane < values_per_warp;
  unsigned mine = 0;
  if constexpr (log_copies == 5) {
    if (warp < warps) {
#pragma unroll
      for (unsigned i = 0; i < values_per_warp; ++i) {
        const unsigned sum = warp_sum(counts[(first + i) * 32 + lane]);
        if (lane == i) mine = sum;
      }
    }
  } else if (owns_value) {
#pragma unroll
    for (unsigned i = 0; i < copies; ++i)
      mine += counts[(first + lane) * copies + (i + lane / (32 / copies)) % copies];
  }
  const auto put = [&](unsigned bin, unsigned sum) {
    if (assigned)
      histogram[bin] = sum;
    else if (sum > 0)
      atomicAdd(&histogram[bin], Count{sum});
  };
  const unsigned bin = fold && owns_value ? bin_of[first + lane] : first + lane;
  wait_for_zeros();
  if (!fold || bins.count > values) {
    if (owns_value && bin != none) put(bin, mine);
    return;
  }
  // If values share bins, the block adds them up first. Otherwise all blocks would compete for the
  // same few addresses.
  if (owns_value && bin != none && mine > 0) atomicAdd(&sums[bin], mine);
  Shape::meet();
  if (threadIdx.x < bins.count) put(threadIdx.x, sums[threadIdx.x]);
}

template <class Shape, unsigned log_copies>
void launch_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins,
                  const Plan& plan, Count* histogram, const Workspace& workspace,
                  cudaStream_t stream) {
  const Partition p = deal<Shape>(samples, length, 1, plan.least_bytes, workspace);
  const bool fold = bins.count != values || bins.lower != 0 || bins.upper != values ||
                    bins.levels != nullptr,
             assigned = p.ranges == 1 && bins.count <= values;
  launch_counting(p, histogram, bins.count, assigned, bytes<Shape, log_copies>,
                  Shape::block_threads, 0, stream, bins, fold, assigned, histogram);
}

}  // namespace

void count_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins,
                 const Plan& plan, Count* histogram, const Workspace& workspace,
                 cudaStream_t stream) {
  const auto launch = plan.walk == Walk::sweep ? launch_bytes<Long, 5>
                      : plan.log_copies < 5    ? launch_bytes<Short, 2>
                                               : launch_bytes<Short, 5>;
  launch(samples, length, bins, plan, histogram, workspace, stream);
}

}  // namespace histolab::kernels::cuda
