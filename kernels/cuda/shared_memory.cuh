// Wide samples into a table of each block in shared memory: one kernel, any binning, any counters.
#pragma once

#include "kernels/cuda/binning.cuh"
#include "kernels/cuda/counters.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/samples.cuh"
#include "kernels/cuda/sweep.cuh"

namespace histolab::kernels::cuda {

// Two blocks of a multiprocessor hide each other's loads; where only one has room for its table, it loads ahead.
template <class Sample, class Binning, class Counters, unsigned blocks_per_multiprocessor>
__global__ __launch_bounds__(1024, blocks_per_multiprocessor) void shared_memory(Partition p, Binning binning, Counters counters,
                                                                                Count* histogram) {
  extern __shared__ __align__(16) unsigned shared_words[];
  constexpr unsigned threads = 1024, loads = 4;
  constexpr Schedule schedule = blocks_per_multiprocessor == 1 ? Schedule::ahead : Schedule::plain;
  counters.words = shared_words;
  if constexpr (requires { binning.table; }) {
    binning.table = shared_words + counters.total();
    binning.shared_levels = binning.table + Binning::table_words;
  }

  const auto add = [&](unsigned sample) {
    const unsigned bin = binning(sample);
    if (Binning::total || bin != none) counters.add(bin);
  };
  const auto prepare = [&] {
    counters.prepare();
    binning.prepare();
    __syncthreads();
  };
  const auto count = [&](const uint4(&v)[loads], auto present) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i)
      if (present(i)) each_sample<Sample>(v[i], add);
  };
  sweep<threads, loads, schedule, Sample>(p, prepare, count, add);
  counters.finish();
  wait_for_zeros();
  counters.flush(histogram);
}

}  // namespace histolab::kernels::cuda
