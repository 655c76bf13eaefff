// Finds a sample's bin from the definition, on the host and on the device. This is slow. It is used
// for the few values of a fold or a reference, and in tests.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

inline constexpr unsigned none = 0xffffffff;  // the sample has no bin

// Returns the sample's bin, or `none`.
__host__ __device__ inline unsigned bin_by_definition(const Bins& bins, std::uint64_t sample) {
  if (bins.levels == nullptr) {
    if (sample < bins.lower || sample >= bins.upper) return none;
    return static_cast<unsigned>((sample - bins.lower) * bins.count / (bins.upper - bins.lower));
  }
  if (sample < bins.levels[0] || sample >= bins.levels[bins.count]) return none;
  unsigned low = 0, high = bins.count;  // levels[low] <= sample < levels[high]
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (bins.levels[middle] <= sample ? low : high) = middle;
  }
  return low;
}

}  // namespace histolab::kernels::cuda
