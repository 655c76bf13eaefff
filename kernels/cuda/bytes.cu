// One-byte samples, any bins: count all 256 values, then fold them into the bins asked for.
//
// Each lane owns one bank: the counter of value v for lane l is word v * 32 + l, so no two lanes of a warp ever meet,
// whatever the data is, and a warp's 32 additions take one clock. Per byte that is a shift, a LOP3 and an addition to
// shared memory.
#include "kernels/cuda/binning.cuh"
#include "kernels/cuda/bytes.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/sweep.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {
namespace {

// One block on a multiprocessor that loads a round ahead: as fast as two that do not at 2^30 bytes, and 0.4 to 2.4 % of the
// read limit faster at 2^28, where the beginnings and ends of blocks weigh more.
constexpr unsigned threads = 1024, blocks_per_multiprocessor = 1, loads = 4, values = 256;

// `fold`: a value is not its own bin. `assigned`: there is one block, and at most `values` bins.
__global__ __launch_bounds__(threads, blocks_per_multiprocessor) void bytes(const __grid_constant__ Partition p,
                                                                            Bins bins, bool fold, bool assigned,
                                                                            Count* histogram) {
  constexpr unsigned values_per_warp = values / (threads / 32);
  __shared__ __align__(16) unsigned counts[values * 32];
  __shared__ unsigned bin_of[values], sums[values];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned lane_offset = lane * 4;

  const auto prepare = [&] {
    uint4* const words = reinterpret_cast<uint4*>(counts);
#pragma unroll
    for (unsigned i = 0; i < values * 32 / 4; i += threads) words[i + threadIdx.x] = uint4{0, 0, 0, 0};
    if (fold) {
      if (threadIdx.x < values) sums[threadIdx.x] = 0;
      constexpr unsigned lanes = 32 / values_per_warp;
      const unsigned value = threadIdx.x / lanes, bin = bin_by_lanes<lanes>(bins, value);
      if (lane % lanes == 0) bin_of[value] = bin;
    }
    __syncthreads();
  };
  // The offset of a value's counter is value * 128 + lane * 4: its byte moved to bits 7-14.
  const auto add = [&](unsigned moved) {
    atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(counts) + ((moved & 0x7f80) | lane_offset)), 1u);
  };
  const auto add_word = [&](unsigned w) { add(w << 7), add(w >> 1), add(w >> 9), add(w >> 17); };
  const auto count = [&](const uint4(&v)[loads], auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) add_word(v[i].x), add_word(v[i].y), add_word(v[i].z), add_word(v[i].w);
  };
  const auto edge = [&](std::uint8_t byte) { add(static_cast<unsigned>(byte) << 7); };
  sweep<threads, loads, std::uint8_t>(p, histogram, bins.count, prepare, edge, count);
  __syncthreads();

  // Each warp sums eight values over its lanes; other ones first in another block, since all blocks end at once and the
  // L2 takes one request of a line after the other.
  const unsigned first = (warp + blockIdx.x) % (threads / 32) * values_per_warp;
  unsigned mine = 0;
#pragma unroll
  for (unsigned i = 0; i < values_per_warp; ++i) {
    const unsigned sum = warp_sum(counts[(first + i) * 32 + lane]);
    if (lane == i) mine = sum;
  }
  const auto put = [&](unsigned bin, unsigned sum) {
    if (assigned)
      histogram[bin] = sum;
    else if (sum > 0)
      atomicAdd(&histogram[bin], Count{sum});
  };
  const bool owns_value = lane < values_per_warp;
  const unsigned bin = fold && owns_value ? bin_of[first + lane] : first + lane;
  wait_for_zeros();
  if (!fold || bins.count > values) {
    if (owns_value && bin != none) put(bin, mine);
    return;
  }
  // Where values share bins, the block adds them up: else all blocks would want the same few addresses.
  if (owns_value && bin != none && mine > 0) atomicAdd(&sums[bin], mine);
  __syncthreads();
  if (threadIdx.x < bins.count) put(threadIdx.x, sums[threadIdx.x]);
}

}  // namespace

void count_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins, Count* histogram,
                 const Workspace& workspace, cudaStream_t stream) {
  const Partition p =
      deal(samples, length, 1, ticket_bytes, threads / 32 * loads, blocks_per_multiprocessor, workspace);
  const bool fold = bins.count != values || bins.lower != 0 || bins.upper != values || bins.levels != nullptr,
             assigned = p.ranges == 1 && bins.count <= values;
  launch_counting(p, histogram, bins.count, assigned, bytes, threads, 0, stream, bins, fold, assigned, histogram);
}

}  // namespace histolab::kernels::cuda
