// CompiledKernels: kernels compiled by tools/model/prepare, launched according to the labs'
// contracts.
//
// A line of the manifest is: name cubin grid-rule factor shared-bytes bins longest. Blocks have 256
// threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/gpu/runtime.h"
#include "reference/histogram.h"

namespace histolab::model {

inline constexpr unsigned int block = 256;

// The correct histogram per number of bins: seven of letters, 256 of bytes.
using Truths = std::map<unsigned int, std::vector<std::uint64_t>>;
[[nodiscard]] Truths truths_of(const std::vector<std::uint8_t>& data);

struct CompiledKernel {
  std::string name, cubin, rule;
  unsigned int factor = 8, shared_bytes = 0, bins = 7,
               longest = 32;  // longest: at most 2^longest elements
  cudaKernel_t kernel = nullptr;

  [[nodiscard]] bool takes(std::uint64_t length) const {
    return length <= std::uint64_t{1} << longest;
  }
  [[nodiscard]] unsigned int grid(std::uint64_t length, int multiprocessors) const;
  // Counts `length` bytes of `data` into `histo`, without waiting. Errors are exceptions, as in
  // runtime.h.
  void launch(std::uint64_t length, unsigned int grid, const kernels::gpu::DeviceMemory& data,
              const kernels::gpu::DeviceMemory& histo) const;
  // Waits for the launch. Returns whether `histo` is correct.
  [[nodiscard]] bool counted(const kernels::gpu::DeviceMemory& histo, const Truths& truths) const;
};

// Loads all kernels of a manifest; the cubins are in its folder. A kernel exports its factor, else
// the manifest's applies.
[[nodiscard]] std::vector<CompiledKernel> load_kernels(const std::string& manifest);

// Splits "a,b".
[[nodiscard]] std::vector<std::string> split_at_commas(const std::string& text);
// Parses exponents: "14,20" gives 2^14 and 2^20.
[[nodiscard]] std::vector<std::uint64_t> powers_of_two(const std::string& text);

}  // namespace histolab::model
