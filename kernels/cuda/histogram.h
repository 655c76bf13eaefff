// Histograms at the limit of a GPU's memory: the input, the output, and the entry points.
//
// Every function here enqueues work on a stream and returns; results are overwritten, not added to. A count has 64
// bits, so no length overflows it; a kernel counts in 32 bits of shared memory, which no block's share of any GPU's
// memory overflows (it would take 2^32 samples for each block of a grid that fills the GPU). Failures of the CUDA
// runtime are gpu::CudaError. A Workspace (workspace.h) belongs to the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/workspace.h"

namespace histolab::kernels::cuda {

using Count = unsigned long long;

inline constexpr unsigned letter_bins = 7, max_bins = 65536;

// a-d, e-h, ..., y-z; every other byte is ignored. histogram[7].
void count_letters(const std::uint8_t* text, std::size_t length, Count* histogram, const Workspace& workspace,
                   cudaStream_t stream);
enum class Walk;
void count_letters(const std::uint8_t* text, std::size_t length, Walk walk, Count* histogram,
                   const Workspace& workspace, cudaStream_t stream);

enum class SampleType { u8, u16, u32 };
[[nodiscard]] constexpr unsigned bytes_of(SampleType type) {
  return type == SampleType::u8 ? 1 : type == SampleType::u16 ? 2 : 4;
}

// Which bin a sample belongs to; a sample outside of all bins is not counted.
//   even    levels == nullptr: bin (s - lower) * count / (upper - lower), in exact integers, for lower <= s < upper and
//           upper <= 2^32
//   uneven  bin k holds levels[k] <= s < levels[k + 1]; count + 1 ascending levels in device memory, equal ones make an
//           empty bin
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
  Count* histogram = nullptr;  // device memory, bins.count
};

// The fastest way that is known for the problem, for any length; a Plan says which one (plan.h).
void count(const Problem& problem, const Workspace& workspace, cudaStream_t stream);
struct Plan;
[[nodiscard]] Plan plan_for(const Problem& problem);  // on the current device
void count(const Problem& problem, const Plan& plan, const Workspace& workspace, cudaStream_t stream);

struct Chip;
[[nodiscard]] Chip current_chip();

}  // namespace histolab::kernels::cuda
