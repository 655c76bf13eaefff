// Histograms at the limit of a GPU's memory: the input, the output, and the entry points.
//
// Every function here enqueues work on a stream and returns. It overwrites the results. It throws
// gpu::CudaError if the CUDA runtime fails. A Workspace (workspace.h) belongs to the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/workspace.h"

namespace histolab::kernels::cuda {

// 64 bits, so no length overflows a count. Kernels count in 32 bits of shared memory. To
// overflow them, each block of a grid that fills the GPU would need 2^32 samples, more than fit
// in a GPU's memory.
using Count = unsigned long long;

inline constexpr unsigned letter_bins = 7, max_bins = 65536;

// Counts the letters a-d, e-h, ..., y-z into histogram[7]. All other bytes are ignored.
void count_letters(const std::uint8_t* text, std::size_t length, Count* histogram,
                   const Workspace& workspace, cudaStream_t stream);
enum class Walk;
void count_letters(const std::uint8_t* text, std::size_t length, Walk walk, Count* histogram,
                   const Workspace& workspace, cudaStream_t stream);

enum class SampleType { u8, u16, u32 };
[[nodiscard]] constexpr unsigned bytes_of(SampleType type) {
  return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4;
}

// The definition of the bins. A sample outside all bins is not counted.
//  - Even bins (levels == nullptr): a sample s with lower <= s < upper has the bin
//    (s - lower) * count / (upper - lower), in exact integers. upper must be <= 2^32.
//  - Uneven bins: bin k has the samples with levels[k] <= s < levels[k + 1]. There are count + 1
//    ascending levels in device memory. Equal levels make an empty bin.
struct Bins {
  unsigned count = 256;  // 1 to max_bins
  std::uint64_t lower = 0, upper = 256;
  const std::uint32_t* levels = nullptr;
};

struct Problem {
  SampleType type = SampleType::u8;
  const void* samples = nullptr;  // device memory, aligned to a sample
  std::size_t length = 0;         // samples
  Bins bins;
  Count* histogram = nullptr;  // device memory, bins.count elements
};

// Counts with the fastest known method for the problem and its length. A Plan (plan.h) describes
// the method.
void count(const Problem& problem, const Workspace& workspace, cudaStream_t stream);
struct Plan;
[[nodiscard]] Plan plan_for(const Problem& problem);  // on the current device
void count(const Problem& problem, const Plan& plan, const Workspace& workspace,
           cudaStream_t stream);

struct Chip;
[[nodiscard]] Chip current_chip();

}  // namespace histolab::kernels::cuda
