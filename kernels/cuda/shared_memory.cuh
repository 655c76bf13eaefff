// 16- and 32-bit samples into a table of each block in shared memory: one kernel for any binning and any counters.
#pragma once

#include "kernels/cuda/counters.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/samples.cuh"
#include "kernels/cuda/sweep.cuh"

namespace histolab::kernels::cuda {

// One block of 1024 threads on a multiprocessor, which has all of its shared memory and loads a round ahead. A round is 64 KiB: 2^15
// samples of 16 bits, what PairedCounters may count between two looks.
template <class Sample, class Binning, class Counters>
__global__ __launch_bounds__(1024, 1) void count_in_blocks(const __grid_constant__ Partition p, Binning binning, Counters counters, Count* histogram) {
  extern __shared__ __align__(16) unsigned shared_words[];
  constexpr unsigned threads = 1024, loads = 4;
  counters.table = shared_words;
  if constexpr (requires { binning.table; }) binning.table = shared_words + counters.words();

  const auto prepare = [&] {
    counters.prepare();
    binning.prepare();
    __syncthreads();
  };
  const auto add = [&](unsigned bin) {
    if (Binning::total || bin < binning.count()) counters.add(bin);
  };
  const auto edge = [&](Sample sample) { add(binning(sample)); };
  const auto count = [&](const uint4(&v)[loads], auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) each_bin<Sample>(v[i], binning, add);
    counters.after_round();
  };
  sweep<threads, loads, Schedule::ahead, Sample>(p, prepare, edge, count);
  __syncthreads();
  wait_for_zeros();
  counters.flush(histogram);
}

}  // namespace histolab::kernels::cuda
