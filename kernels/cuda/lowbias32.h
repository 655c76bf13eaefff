// A pseudo-random number of a place: the same at the same place in any launch, and cheap enough that it does not hide what is measured.
// Wellons' lowbias32 (nullprogram.com/blog/2018/07/31).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace histolab::kernels::cuda {

__host__ __device__ inline std::uint32_t lowbias32(std::uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du;
  x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

}  // namespace histolab::kernels::cuda
