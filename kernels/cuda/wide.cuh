// 16- and 32-bit samples: the kernel for any binning, and its launch.
#pragma once

#include <type_traits>

#include "kernels/cuda/counters.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/samples.cuh"
#include "kernels/cuda/stride.cuh"
#include "kernels/cuda/sweep.cuh"

namespace histolab::kernels::cuda {

// One block of 1024 threads per multiprocessor: it has all shared memory, and loads one round ahead
// (64 KiB).
using WideSweep = Sweeping<1024, 4, 1>;
using WideStride = Striding<512, 1, 2>;

template <class Shape, class Sample, class Binning, bool hashed, bool in_parts>
__global__ __launch_bounds__(Shape::block_threads,
                             Shape::bound) void count_in_blocks(const __grid_constant__ Partition p,
                                                                Binning binning,
                                                                Copies<hashed> counters,
                                                                Count* histogram) {
  extern __shared__ __align__(16) unsigned shared_words[];
  constexpr unsigned loads = Shape::loads;
  const unsigned part = in_parts ? blockIdx.x % p.parts : 0;
  const unsigned first_bin = part * counters.part_bins;
  counters.table = shared_words;
  counters.first_bin = first_bin;
  if constexpr (requires { binning.table; }) binning.table = shared_words + counters.words;

  const auto prepare = [&] {
    counters.prepare(Shape::threads);
    binning.prepare(first_bin, counters.part_bins);
  };
  // Samples in other blocks' parts have no bin here. A table contains only the bins
  // of its own part.
  const auto add = [&](unsigned bin) {
    if constexpr (in_parts && !Binning::own_bins_only)
      counters.add(min(bin - counters.first_bin, counters.part_bins));
    else if constexpr (!Binning::total)
      counters.add(min(bin, counters.part_bins));
    else
      counters.add(bin);
  };
  const auto edge = [&](Sample sample) { add(binning(sample)); };
  const auto count = [&](const auto& v, auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) each_bin<Sample>(v[i], binning, add);
  };
  const unsigned own_bins =
      first_bin < counters.bins ? min(counters.part_bins, counters.bins - first_bin) : 0;
  Shape::template walk<Sample>(p, histogram + first_bin, own_bins, prepare, edge, count);
  if (threadIdx.x >= Shape::threads) return;
  wait_for_zeros();
  counters.flush(Shape::threads, histogram, p.ranges == 1);
}

template <class Sample, class Binning>
void launch_wide(const Problem& problem, const Plan& plan, Binning binning, Count* histogram,
                 const Workspace& workspace, cudaStream_t stream) {
  unsigned binning_words = 0;
  if constexpr (requires { binning.table; }) binning_words = binning.words(plan.part_bins);
  const auto run = [&]<class Shape, bool hashed, bool in_parts>() {
    const Partition p = deal<Shape>(problem.samples, problem.length, sizeof(Sample),
                                    plan.least_bytes, workspace, plan.parts);
    const Copies<hashed> counters{plan.bins, plan.part_bins, plan.log_copies, launch_multiplier(),
                                  counter_words(plan.part_bins, plan.log_copies)};
    launch_counting(p, histogram, plan.bins, p.ranges == 1,
                    count_in_blocks<Shape, Sample, Binning, hashed, in_parts>, Shape::block_threads,
                    (counters.words + binning_words) * 4, stream, binning, counters, histogram);
  };
  // A stride is only for binnings without a table. Parts are only for binnings without a table of
  // all values or levels.
  if constexpr (!requires { binning.table; })
    if (plan.walk == Walk::stride) {
      if (plan.parts > 1) return run.template operator()<WideStride, true, true>();
      if (plan.hashed) return run.template operator()<WideStride, true, false>();
      return run.template operator()<WideStride, false, false>();
    }
  if constexpr (!std::is_same_v<Binning, LookupBins> && !std::is_same_v<Binning, SearchBins>)
    if (plan.parts > 1) return run.template operator()<WideSweep, true, true>();
  if (plan.hashed) return run.template operator()<WideSweep, true, false>();
  run.template operator()<WideSweep, false, false>();
}

}  // namespace histolab::kernels::cuda
