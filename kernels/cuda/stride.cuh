// A block's walk over its share of few samples. Blocks take rounds in turns. Few samples are
// counted in less than a microsecond, so a block should wait for memory only once. Tickets
// (sweep.cuh) would need one access after another. Another block zeroes the results, about when the
// samples arrive. So the last warp of each block, the messenger, waits for the zeros while the
// others count.
#pragma once

#include "kernels/cuda/partition.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/tickets.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {

// For blocks of `threads` + 32 threads. The parameters and the effect are those of sweep()
// (sweep.cuh). The messenger does not call the functions, and its work is done afterwards. All
// units of the partition are distributed, one Vector per thread and load.
template <unsigned threads, unsigned loads, class Vector, class Sample, class Result, class Prepare,
          class Edge, class CountRound>
__device__ __forceinline__ void stride(const Partition& p, Result* zeros, unsigned zero_count,
                                       Prepare prepare, Edge edge, CountRound count) {
  constexpr unsigned round_vectors = threads * loads;
  const unsigned part = blockIdx.x % p.parts, range = blockIdx.x / p.parts;
  const unsigned vectors = p.dealt_units * (unit_bytes / sizeof(Vector));
  if (threadIdx.x >= threads) {  // the messenger
    const bool zeroes = p.zeroes && range == 0;
    if (zeroes) {
      for (unsigned i = threadIdx.x - threads; i < zero_count; i += 32) zeros[i] = 0;
      __syncwarp();
    }
    Tickets tickets(p.progress + part, p.ranges, 0,
                    threadIdx.x == threads && p.zeroes && p.ranges > 1);
    if (zeroes) {
      tickets.take_and_announce_zeros();
    } else {
      tickets.take();
      tickets.wait_for_zeros();
    }
    __syncthreads();
    tickets.put_back();
    return;
  }

  // A round's number is the index of its first vector. Two rounds are loaded before the first one
  // is counted.
  const unsigned to_next_round = p.ranges * round_vectors;
  const auto present = [&](unsigned round, unsigned i) {
    return round + i * threads + threadIdx.x < vectors;
  };
  const auto fetch = [&](unsigned round, Vector(&into)[loads]) {
    const Vector* const from = reinterpret_cast<const Vector*>(p.body) + round + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) into[i] = present(round, i) ? from[i * threads] : Vector{};
  };
  const unsigned first_round = range * round_vectors;
  Vector now[loads], next[loads], later[loads];
  fetch(first_round, next);
  fetch(first_round + to_next_round, later);
  prepare();
  meet<threads>(0);
  const unsigned in_head = p.head_bytes / sizeof(Sample),
                 edges = in_head + p.tail_bytes / sizeof(Sample);
  for (unsigned i = threadIdx.x * p.ranges + range; i < edges; i += threads * p.ranges)
    edge(i < in_head ? reinterpret_cast<const Sample*>(p.head)[i]
                     : reinterpret_cast<const Sample*>(p.tail)[i - in_head]);
#pragma unroll 1
  for (unsigned round = first_round; round < vectors; round += to_next_round) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      now[i] = next[i];
      next[i] = later[i];
    }
    if (round + 2 * to_next_round < vectors) fetch(round + 2 * to_next_round, later);
    count(now, [&](unsigned i) { return present(round, i); });
  }
  __syncthreads();
}

// Like Sweeping (sweep.cuh), for few samples. `threads` threads of a block count.
template <unsigned counting, unsigned loads_, unsigned of_multiprocessor, class Vector = uint4>
struct Striding {
  static constexpr Walk kind = Walk::stride;
  static constexpr unsigned threads = counting, block_threads = counting + 32, loads = loads_,
                            blocks = of_multiprocessor;
#if __CUDA_ARCH__ == 750  // at most 1024 threads per multiprocessor
  static constexpr unsigned bound =
      of_multiprocessor * block_threads > 1024 ? 1 : of_multiprocessor;
#else
  static constexpr unsigned bound = of_multiprocessor;
#endif
  template <class Sample, class... Parameters>
  __device__ static __forceinline__ void walk(const Partition& p, Parameters... parameters) {
    stride<threads, loads, Vector, Sample>(p, parameters...);
  }
  __device__ static __forceinline__ void meet() { cuda::meet<threads>(0); }
};

}  // namespace histolab::kernels::cuda
