// Kernels with a private copy per block in shared memory: zero, barrier, count, barrier, commit;
// with and without aggregation.
#pragma once

#include "kernels/cuda/lessons/schedules.cuh"

namespace histolab::kernels::cuda::lessons {

// Counts a run of equal bins, and adds it to `counts` when another bin comes and in flush().
class Run {
 public:
  __device__ explicit Run(unsigned* counts) : counts_(counts) {}
  __device__ void count(unsigned bin) {
    if (bin == bin_) {
      ++length_;
    } else {
      flush();
      bin_ = bin;
      length_ = 1;
    }
  }
  __device__ void flush() {
    if (length_ > 0) atomicAdd(&counts_[bin_], length_);
  }

 private:
  unsigned* counts_;
  unsigned bin_ = ~0u, length_ = 0;
};

template <class Binning>
__device__ void zero(unsigned* copy, Binning binning) {
  for (unsigned bin = threadIdx.x; bin < binning.bins; bin += blockDim.x) copy[bin] = 0;
  __syncthreads();
}

template <class Binning>
__device__ void commit(const unsigned* copy, Binning binning, unsigned* histo) {
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < binning.bins; bin += blockDim.x) {
    const unsigned count = copy[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

template <class Schedule, class Element, class Binning>
__global__ void shared_copy(const Element* data, unsigned length, Binning binning,
                            unsigned* histo) {
  extern __shared__ unsigned copy[];
  zero(copy, binning);
  Schedule::each(length, [&](unsigned i) {
    binning(data[i], [&](unsigned bin) { atomicAdd(&copy[bin], 1u); });
  });
  commit(copy, binning, histo);
}

// Issues all loads of a thread before it counts the first element. nvcc does not transform
// shared_copy like this: there, a load stays behind the branch of the previous element.
template <class Schedule, class Element, class Binning>
__global__ void shared_copy_ahead(const Element* data, unsigned length, Binning binning,
                                  unsigned* histo) {
  extern __shared__ unsigned copy[];
  zero(copy, binning);
  Element elements[Schedule::factor];
#pragma unroll
  for (unsigned k = 0; k < Schedule::factor; ++k)
    elements[k] = Schedule::place(k) < length ? data[Schedule::place(k)] : Element{};
#pragma unroll
  for (unsigned k = 0; k < Schedule::factor; ++k)
    if (Schedule::place(k) < length)
      binning(elements[k], [&](unsigned bin) { atomicAdd(&copy[bin], 1u); });
  commit(copy, binning, histo);
}

template <class Schedule, class Element, class Binning>
__global__ void shared_copy_aggregated(const Element* data, unsigned length, Binning binning,
                                       unsigned* histo) {
  extern __shared__ unsigned copy[];
  zero(copy, binning);
  Run run{copy};
  Schedule::each(length,
                 [&](unsigned i) { binning(data[i], [&](unsigned bin) { run.count(bin); }); });
  run.flush();
  commit(copy, binning, histo);
}

}  // namespace histolab::kernels::cuda::lessons
