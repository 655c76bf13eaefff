// Visits the bins of the samples in 16 bytes, one after the other.
#pragma once

#include "kernels/cuda/binning.cuh"

namespace histolab::kernels::cuda {

// Calls f(bin) for each sample. Works in groups of four, so that a binning can look up several
// samples at a time.
template <class Sample, class Binning, class F>
__device__ __forceinline__ void each_bin(const uint4& v, const Binning& binning, F f) {
  const unsigned w[4] = {v.x, v.y, v.z, v.w};
  if constexpr (requires { binning.of_low_half(0u); } && sizeof(Sample) == 2) {
#pragma unroll
    for (const unsigned word : w) {
      f(binning.of_low_half(word));
      f(binning.of_high_half(word));
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < 4; i += sizeof(Sample)) {
      unsigned sample[4], bin[4];
      if constexpr (sizeof(Sample) == 4) {
        sample[0] = w[0];
        sample[1] = w[1];
        sample[2] = w[2];
        sample[3] = w[3];
      } else {
        sample[0] = w[i] & 0xffff;
        sample[1] = w[i] >> 16;
        sample[2] = w[i + 1] & 0xffff;
        sample[3] = w[i + 1] >> 16;
      }
      if constexpr (requires { binning.find(sample, bin); }) {
        binning.find(sample, bin);
      } else {
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) bin[k] = binning(sample[k]);
      }
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) f(bin[k]);
    }
  }
}

}  // namespace histolab::kernels::cuda
