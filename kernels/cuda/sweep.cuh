// A block's walk over its share of the samples, 16 bytes per lane and load.
//
// Performance: `loads` independent loads a thread are issued before the first is used. The units that do not fill a
// round of all warps come first, and their loads are in flight while `prepare` zeroes the block's counters. With
// Schedule::ahead the next round's loads are issued before this round is counted: it takes 4 * loads more registers and
// replaces the second block of the multiprocessor, which otherwise loads while the first one counts.
#pragma once

#include "kernels/cuda/partition.h"

namespace histolab::kernels::cuda {

enum class Schedule { plain, ahead };

// prepare(): before the first sample is counted; ends in a barrier. edge(sample): one sample, for each of this thread's
// that lie outside of the body. count(v, present): a round: `v` is uint4[loads]; v[i] holds samples where present(i),
// the same for a whole warp, and zeros elsewhere.
template <unsigned threads, unsigned loads, Schedule schedule, class Sample, class Prepare, class Edge, class Count>
__device__ __forceinline__ void sweep(const Partition& p, Prepare prepare, Edge edge, Count count) {
  constexpr unsigned warps = threads / 32, round = warps * loads;
  const unsigned warp = threadIdx.x / 32;
  const unsigned range = blockIdx.x / p.parts, ranges = gridDim.x / p.parts;  // of all waves
  const unsigned wave = range / p.ranges_per_wave, of_wave = range % p.ranges_per_wave;
  const auto units_per_block = p.wave[wave].units_per_block;
  const unsigned extra_units = p.wave[wave].extra_units;
  const auto first = p.wave[wave].first_unit + units_per_block * of_wave + min(of_wave, extra_units);
  const auto units = units_per_block + (of_wave < extra_units);
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

  const unsigned in_head = p.head_bytes / sizeof(Sample), edges = in_head + p.tail_bytes / sizeof(Sample);
  for (unsigned i = threadIdx.x * ranges + range; i < edges; i += threads * ranges)
    edge(i < in_head ? reinterpret_cast<const Sample*>(p.head)[i]
                     : reinterpret_cast<const Sample*>(p.tail)[i - in_head]);

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
}

}  // namespace histolab::kernels::cuda
