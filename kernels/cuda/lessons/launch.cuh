// Selects the types of a kernel template for a Work, and launches the kernel.
#pragma once

#include "kernels/cuda/lessons/elements.cuh"
#include "kernels/cuda/lessons/kernels.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::lessons {

// Calls use(const Element* data, binning) with the types for the work.
template <class Use>
void with_types(const Work& work, Use use) {
  const auto with_binning = [&](auto element) {
    const auto* data = static_cast<const decltype(element)*>(work.data);
    if (work.binning == Binning::letters) return use(data, Letters{});
    unsigned bits = 0;
    while (1u << bits < work.bins) ++bits;
    const unsigned key_bits = sizeof element < 4 ? 8 * static_cast<unsigned>(sizeof element) : 32;
    return use(data, LeadingBits{work.bins, key_bits - bits});
  };
  switch (work.element_bytes) {
    case 1: return with_binning(std::uint8_t{});
    case 2: return with_binning(std::uint16_t{});
    case 4: return with_binning(std::uint32_t{});
    default: return with_binning(uint4{});
  }
}

inline unsigned blocks_for(const Work& work, unsigned factor) {
  const unsigned long long share = 1ull * block_threads * factor;
  return static_cast<unsigned>((work.length + share - 1) / share);
}

template <class... Parameters, class... Arguments>
void start(const Work& work, void (*kernel)(Parameters...), unsigned blocks,
           std::size_t shared_bytes, Arguments... arguments) {
  if (shared_bytes > 48 * 1024)
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)),
               "reserve shared memory");
  kernel<<<blocks, block_threads, shared_bytes, work.stream>>>(arguments...);
  gpu::check(cudaGetLastError(), "launch a kernel");
}

}  // namespace histolab::kernels::cuda::lessons
