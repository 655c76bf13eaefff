// A block's walk over its share of the samples, 16 bytes per lane and load.
#pragma once

#include "kernels/cuda/partition.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/tickets.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {

// Counts the block's rounds and then tickets (partition.h). When it returns, the results are zero
// and all threads of the block have counted. Parameters:
//  - zeros[zero_count]: the results of the block's part. If p.zeroes, its first block zeroes them.
//  - prepare(): called by `threads` threads. A barrier follows before the first sample is counted.
//  - edge(sample): called for each of this thread's samples outside the body.
//  - count(v, present): counts one round. `v` is uint4[loads]. v[i] contains samples if present(i);
//    otherwise it is zero. present(i) is the same for a whole warp.
//
// Performance: a thread issues `loads` independent loads before it uses the first one, and those of
// the next round before it counts this round: 64 KiB per multiprocessor. The first loads are in
// flight while prepare() zeroes the block's counters. This needs 4 * loads more registers than
// loading on demand, and replaces a second block on the multiprocessor.
//
// Tickets: a group of warps counts one ticket while the next one is loaded and the leader's warp
// requests the one after that. One warp per ticket would be simpler. But one address gives at most
// 1.3 G tickets/s (H200), and tickets of 2 KiB at 4.6 TB/s would need 2.2 G/s. A whole block per
// ticket would wait for its slowest warp too often.
template <unsigned threads, unsigned loads, class Sample, class Result, class Prepare, class Edge,
          class CountRound>
__device__ __forceinline__ void sweep(const Partition& p, Result* zeros, unsigned zero_count,
                                      Prepare prepare, Edge edge, CountRound count) {
  constexpr unsigned group_warps = ticket_units / loads, group_threads = group_warps * 32,
                     groups = threads / group_threads, round_units = threads / 32 * loads;
  static_assert(groups * group_threads == threads);
  const unsigned part = blockIdx.x % p.parts, range = blockIdx.x / p.parts;
  const unsigned group = threadIdx.x / group_threads, of_group = threadIdx.x % group_threads;
  const bool leader = of_group == 0;
  __shared__ unsigned dealt[2][groups];
  static_assert(sizeof dealt <= own_shared_bytes);
  Tickets tickets(p.progress + part, p.ranges * groups, p.tickets, p.zeroes && p.ranges > 1);

  uint4 now[loads], next[loads];
  const uint4* own = reinterpret_cast<const uint4*>(p.body) +
                     std::size_t{range} * p.own_rounds * (round_units * 32) + threadIdx.x;
  const auto fetch_own = [&](uint4(&into)[loads]) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) into[i] = own[i * threads];
    own += threads * loads;
  };
  const auto in_ticket = [&](unsigned ticket, unsigned i) {
    return ticket * ticket_units + of_group / 32 + i * group_warps < p.dealt_units;
  };
  const auto fetch_ticket = [&](unsigned ticket) {
    const uint4* const from = reinterpret_cast<const uint4*>(p.body) +
                              (p.dealt_from + std::size_t{ticket} * ticket_units) * 32 + of_group;
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      next[i] = in_ticket(ticket, i) ? from[i * group_threads] : uint4{0, 0, 0, 0};
  };
  const auto step = [&] {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) now[i] = next[i];
  };

  unsigned ticket = group * p.ranges + range;  // the first ticket; if there are few, one per block
  const auto fetch_first_ticket = [&] {
    fetch_ticket(ticket);
    if (leader) tickets.take();
  };
  if (p.own_rounds > 0) fetch_own(next);
  if (p.own_rounds == 0) fetch_first_ticket();
  const bool zeroes = p.zeroes && range == 0;  // if it is the only block, a barrier is sufficient
  if (zeroes)
    for (unsigned i = threadIdx.x; i < zero_count; i += threads) zeros[i] = 0;
  prepare();
  __syncthreads();
  if (zeroes && p.ranges > 1 && threadIdx.x == 0) tickets.announce_zeros();

  const unsigned in_head = p.head_bytes / sizeof(Sample),
                 edges = in_head + p.tail_bytes / sizeof(Sample);
  for (unsigned i = threadIdx.x * p.ranges + range; i < edges; i += threads * p.ranges)
    edge(i < in_head ? reinterpret_cast<const Sample*>(p.head)[i]
                     : reinterpret_cast<const Sample*>(p.tail)[i - in_head]);

  for (unsigned rounds = p.own_rounds; rounds > 0; --rounds) {
    step();
    if (rounds > 1)
      fetch_own(next);
    else
      fetch_first_ticket();
    count(now, [](unsigned) { return true; });
  }
  for (unsigned turn = 0; ticket < p.tickets; turn ^= 1) {
    if (leader) dealt[turn][group] = tickets.ticket();
    meet<group_threads>(group);
    step();
    const unsigned following = dealt[turn][group];
    if (following < p.tickets) {
      fetch_ticket(following);
      if (leader) tickets.take();
    }
    count(now, [&](unsigned i) { return in_ticket(ticket, i); });
    ticket = following;
  }
  if (leader) {
    tickets.wait_for_zeros();
    tickets.put_back();
  }
  __syncthreads();
}

// A walk as a template argument of a kernel, with its launch shape. The other one is Striding
// (stride.cuh).
template <unsigned of_block, unsigned loads_, unsigned of_multiprocessor>
struct Sweeping {
  static constexpr Walk kind = Walk::sweep;
  static constexpr unsigned threads = of_block, block_threads = of_block, loads = loads_,
                            blocks = of_multiprocessor;
  static constexpr unsigned bound = of_multiprocessor;  // for __launch_bounds__
  template <class Sample, class... Parameters>
  __device__ static __forceinline__ void walk(const Partition& p, Parameters... parameters) {
    sweep<threads, loads, Sample>(p, parameters...);
  }
  // A barrier of the block's `threads` threads.
  __device__ static __forceinline__ void meet() { __syncthreads(); }
};

}  // namespace histolab::kernels::cuda
