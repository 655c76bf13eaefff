// The bins of the samples in 16 bytes, one after the other.
#pragma once

#include "kernels/cuda/binning.cuh"

namespace histolab::kernels::cuda {

// f(bin) for each; in groups of four, so that a binning can look up several at a time.
template <class Sample, class Binning, class F>
__device__ __forceinline__ void each_bin(const uint4& v, const Binning& binning, F f) {
  const unsigned w[4] = {v.x, v.y, v.z, v.w};
  if constexpr (requires { binning.of_low_half(0u); } && sizeof(Sample) == 2) {
#pragma unroll
    for (const unsigned word : w) f(binning.of_low_half(word)), f(binning.of_high_half(word));
  } else if constexpr (requires(unsigned(&bin)[4]) { binning.find(w, bin); }) {
    unsigned bin[4];
    if constexpr (sizeof(Sample) == 4) {
      binning.find(w, bin);
      f(bin[0]), f(bin[1]), f(bin[2]), f(bin[3]);
    } else {
#pragma unroll
      for (unsigned i = 0; i < 4; i += 2) {
        const unsigned s[4] = {w[i] & 0xffff, w[i] >> 16, w[i + 1] & 0xffff, w[i + 1] >> 16};
        binning.find(s, bin);
        f(bin[0]), f(bin[1]), f(bin[2]), f(bin[3]);
      }
    }
  } else {
#pragma unroll
    for (const unsigned word : w) {
      if constexpr (sizeof(Sample) == 4)
        f(binning(word));
      else
        f(binning(word & 0xffff)), f(binning(word >> 16));
    }
  }
}

}  // namespace histolab::kernels::cuda
