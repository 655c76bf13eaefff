// A block's walk over its share of the samples, 16 bytes per lane and load.
//
// Performance: `loads` independent loads a thread are issued before the first is used. The units that do not fill a round
// of all warps come first, and their loads are in flight while `prepare` zeroes the block's counters. With `Schedule::ahead`
// the next round's loads are issued before this round is counted: it takes 4 * loads more registers and replaces the second block
// of the multiprocessor that otherwise loads while the first one counts.
#pragma once

#include "kernels/cuda/partition.h"

namespace histolab::kernels::cuda {

enum class Schedule { plain, ahead };

// prepare(): before the first sample is counted; ends in a barrier.
// count(v, present): `v` is uint4[loads]; v[i] holds samples where present(i), the same for a whole warp, and zeros elsewhere.
// edge(pointer): one sample, for each that lies outside of the body.
template <unsigned threads, unsigned loads, Schedule schedule, class Sample, class Prepare, class Count, class Edge>
__device__ __forceinline__ void sweep(const Partition& p, Prepare prepare, Count count, Edge edge) {
  constexpr unsigned warps = threads / 32, round = warps * loads;
  const unsigned warp = threadIdx.x / 32;
  const auto first = p.units_per_block * blockIdx.x + min(blockIdx.x, p.extra_units);
  const auto units = p.units_per_block + (blockIdx.x < p.extra_units);
  const unsigned left = static_cast<unsigned>(units % round);
  auto rounds = static_cast<unsigned>(units / round);
  const uint4* at = reinterpret_cast<const uint4*>(p.body) + first * 32 + threadIdx.x;

  const auto in_left = [=](unsigned i) { return warp + i * warps < left; };
  const auto always = [](unsigned) { return true; };
  uint4 now[loads];
#pragma unroll
  for (unsigned i = 0; i < loads; ++i) now[i] = in_left(i) ? at[i * threads] : uint4{0, 0, 0, 0};
  at += left * 32;
  prepare();

  if constexpr (schedule == Schedule::plain) {
    count(now, in_left);
    for (; rounds > 0; --rounds, at += threads * loads) {
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) now[i] = at[i * threads];
      count(now, always);
    }
  } else {
    uint4 next[loads];
    const auto fetch = [&] {
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) next[i] = at[i * threads];
      at += threads * loads;
    };
    if (rounds > 0) fetch();
    count(now, in_left);
    for (; rounds > 0; --rounds) {
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) now[i] = next[i];
      if (rounds > 1) fetch();
      count(now, always);
    }
  }

  if (blockIdx.x == gridDim.x - 1) {
    for (unsigned at_byte = threadIdx.x * sizeof(Sample); at_byte < p.head_bytes; at_byte += threads * sizeof(Sample))
      edge(*reinterpret_cast<const Sample*>(p.head + at_byte));
    for (unsigned at_byte = threadIdx.x * sizeof(Sample); at_byte < p.tail_bytes; at_byte += threads * sizeof(Sample))
      edge(*reinterpret_cast<const Sample*>(p.tail + at_byte));
  }
}

}  // namespace histolab::kernels::cuda
