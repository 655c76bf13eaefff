// 16- and 32-bit samples: the one kernel, for any binning, and its launch.
#pragma once

#include <type_traits>

#include "kernels/cuda/counters.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/samples.cuh"
#include "kernels/cuda/sweep.cuh"

namespace histolab::kernels::cuda {

// One block of 1024 threads on a multiprocessor: it has all of its shared memory, and loads a round ahead (64 KiB).
template <class Sample, class Binning, bool hashed, bool in_parts>
__global__ __launch_bounds__(1024, 1) void count_in_blocks(const __grid_constant__ Partition p, Binning binning,
                                                           Copies<hashed> counters, Count* histogram) {
  extern __shared__ __align__(16) unsigned shared_words[];
  constexpr unsigned threads = 1024, loads = 4;
  const unsigned part = in_parts ? blockIdx.x % p.parts : 0;
  counters.table = shared_words;
  if constexpr (requires { binning.table; }) binning.table = shared_words + counters.words;

  const auto prepare = [&] {
    counters.prepare(part);
    binning.prepare(part * counters.part_bins, counters.part_bins);
    __syncthreads();
  };
  // Samples of other blocks' parts are samples without a bin here; a table knows the part's own bins only.
  const auto add = [&](unsigned bin) {
    if constexpr (in_parts && !Binning::own_bins_only)
      counters.add(min(bin - counters.first_bin, counters.part_bins));
    else if constexpr (!Binning::total)
      counters.add(min(bin, counters.part_bins));
    else
      counters.add(bin);
  };
  const auto edge = [&](Sample sample) { add(binning(sample)); };
  const auto count = [&](const uint4(&v)[loads], auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) each_bin<Sample>(v[i], binning, add);
  };
  const unsigned first_bin = part * counters.part_bins;
  const unsigned own_bins = first_bin < counters.bins ? min(counters.part_bins, counters.bins - first_bin) : 0;
  sweep<threads, loads, Sample>(p, histogram + first_bin, own_bins, prepare, edge, count);
  __syncthreads();
  wait_for_zeros();
  counters.flush(histogram, p.ranges == 1);
}

template <class Sample, class Binning>
void launch_wide(const Problem& problem, const Plan& plan, Binning binning, Count* histogram,
                 const Workspace& workspace, cudaStream_t stream) {
  const Partition p =
      deal(problem.samples, problem.length, sizeof(Sample), plan.least_bytes, 128, 1, workspace, plan.parts);
  unsigned binning_words = 0;
  if constexpr (requires { binning.table; }) binning_words = binning.words(plan.part_bins);
  const auto run = [&]<bool hashed, bool in_parts>() {
    const Copies<hashed> counters{plan.bins, plan.part_bins, plan.log_copies, launch_multiplier(),
                                  counter_words(plan.part_bins, plan.log_copies)};
    launch_counting(p, histogram, plan.bins, p.ranges == 1, count_in_blocks<Sample, Binning, hashed, in_parts>, 1024,
                    (counters.words + binning_words) * 4, stream, binning, counters, histogram);
  };
  // Parts are for what is shifted, multiplied or looked up in a table of pieces.
  if constexpr (!std::is_same_v<Binning, LookupBins> && !std::is_same_v<Binning, SearchBins>)
    if (plan.parts > 1) return run.template operator()<true, true>();
  if (plan.hashed) return run.template operator()<true, false>();
  run.template operator()<false, false>();
}

}  // namespace histolab::kernels::cuda
