// The samples of 16 bytes, one after the other.
#pragma once

#include <cstdint>

namespace histolab::kernels::cuda {

template <class Sample, class F>
__device__ __forceinline__ void each_sample(const uint4& v, F f) {
  const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (const unsigned w : words) {
    if constexpr (sizeof(Sample) == 4)
      f(w);
    else
      f(w & 0xffff), f(w >> 16);
  }
}

}  // namespace histolab::kernels::cuda
