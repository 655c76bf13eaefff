// Few samples in many bins: each sample is added to its result in global memory. Block counters for
// all bins would take longer to clear and add up than the samples take.
//
// The L2 handles additions to one address one after the other, 1.3 G/s. So a block first looks up
// the bin in a cache of counters in shared memory. A bin's slot is a hash of its number. The first
// bin gets the slot, and hot bins come early.
#include "kernels/cuda/binning.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/samples.cuh"
#include "kernels/cuda/stride.cuh"
#include "kernels/cuda/wide.h"

namespace histolab::kernels::cuda {
namespace {

// Eight bytes per thread: with sixteen, a short input would occupy only few threads.
using Short = Striding<512, 1, 2, uint2>;
using Shorter = Striding<256, 1, 2, uint2>;  // if shares are short
constexpr unsigned log_slots = 11, slots = 1u << log_slots, no_bin = ~0u;

template <class Shape, class Sample, class Binning>
__global__ __launch_bounds__(Shape::block_threads,
                             Shape::bound) void direct(const __grid_constant__ Partition p,
                                                       Binning binning, unsigned bins,
                                                       unsigned multiplier, Count* histogram) {
  __shared__ unsigned bin_of[slots], counts[slots];
  const auto prepare = [&] {
    for (unsigned slot = threadIdx.x; slot < slots; slot += Shape::threads) {
      bin_of[slot] = no_bin;
      counts[slot] = 0;
    }
  };
  const auto slot_of = [&](unsigned bin) { return bin * multiplier >> (32 - log_slots); };
  // All look-ups come before the first exchange, and all exchanges before the first addition. So a
  // thread waits three times, and not for each sample.
  const auto add = [&]<unsigned n>(const unsigned(&bin)[n]) {
    unsigned owner[n];
#pragma unroll
    for (unsigned i = 0; i < n; ++i)
      owner[i] = *static_cast<volatile unsigned*>(bin_of + slot_of(bin[i]));
#pragma unroll
    for (unsigned i = 0; i < n; ++i)
      if (owner[i] == no_bin && bin[i] < bins)
        owner[i] = atomicCAS(bin_of + slot_of(bin[i]), no_bin, bin[i]);
#pragma unroll
    for (unsigned i = 0; i < n; ++i) {
      if (bin[i] >= bins) continue;
      if (owner[i] == no_bin || owner[i] == bin[i]) {
        atomicAdd(counts + slot_of(bin[i]), 1u);
      } else {
        wait_for_zeros();
        atomicAdd(histogram + bin[i], Count{1});
      }
    }
  };
  const auto edge = [&](Sample sample) {
    const unsigned bin[1] = {binning(sample)};
    add(bin);
  };
  const auto count = [&](const uint2(&v)[1], auto present) {
    if (!present(0)) return;
    constexpr unsigned samples = sizeof v[0] / sizeof(Sample);
    unsigned bin[samples], i = 0;
    each_bin<Sample>(uint4{v[0].x, v[0].y, 0, 0}, binning, [&](unsigned of_sample) {
      if (i < samples) bin[i] = of_sample;
      ++i;
    });
    add(bin);
  };
  Shape::template walk<Sample>(p, histogram, bins, prepare, edge, count);
  if (threadIdx.x >= Shape::threads) return;
  wait_for_zeros();
  for (unsigned slot = threadIdx.x; slot < slots; slot += Shape::threads)
    if (counts[slot] > 0) atomicAdd(histogram + bin_of[slot], Count{counts[slot]});
}

template <class Sample, class Binning>
void launch_direct(const Problem& problem, const Plan& plan, Binning binning,
                   const Workspace& workspace, cudaStream_t stream) {
  const auto run = [&]<class Shape>() {
    const Partition p =
        deal<Shape>(problem.samples, problem.length, sizeof(Sample), plan.least_bytes, workspace);
    zero(problem.histogram, problem.bins.count, stream);
    launch(direct<Shape, Sample, Binning>, {p.blocks(), Shape::block_threads}, true, stream, p,
           binning, problem.bins.count, launch_multiplier(), problem.histogram);
  };
  if (has_short_shares(problem.length * sizeof(Sample), plan.least_bytes, current_chip()))
    run.template operator()<Shorter>();
  else
    run.template operator()<Short>();
}

}  // namespace

void count_direct(const Problem& problem, const Plan& plan, const Workspace& workspace,
                  cudaStream_t stream) {
  const Bins& bins = problem.bins;
  if (problem.type == SampleType::u16) {
    if (plan.binner == Binner::shift)
      return launch_direct<std::uint16_t>(problem, plan, shift_bins(bins.count, 16), workspace,
                                          stream);
    return launch_direct<std::uint16_t>(problem, plan, ProductBins<16>(bins), workspace, stream);
  }
  if (plan.binner == Binner::shift)
    return launch_direct<std::uint32_t>(problem, plan, shift_bins(bins.count, 32), workspace,
                                        stream);
  if (bins.count < bins.upper - bins.lower)
    return launch_direct<std::uint32_t>(problem, plan, ProductBins<32>(bins), workspace, stream);
  launch_direct<std::uint32_t>(problem, plan, ProductBins<64>(bins), workspace, stream);
}

}  // namespace histolab::kernels::cuda
