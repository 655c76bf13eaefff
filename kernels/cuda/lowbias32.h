// A pseudo-random number by position, the same in every launch: Wellons' lowbias32
// (nullprogram.com/blog/2018/07/31). It is cheap enough not to disturb measurements.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace histolab::kernels::cuda {

__host__ __device__ inline std::uint32_t lowbias32(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

}  // namespace histolab::kernels::cuda
