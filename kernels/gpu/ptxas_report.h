// Reads the output of `ptxas -v` as numbers per kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::gpu {

struct KernelResources {
  std::string symbol;              // mangled
  std::uint32_t registers = 0;     // per thread
  std::uint64_t shared_bytes = 0;  // static, per block
  // Local memory per thread, including spills and the stack frames of called functions.
  std::uint64_t stack_bytes = 0;
  std::uint64_t spill_store_bytes = 0, spill_load_bytes = 0;
};

// Returns the kernels in the order of the log. Unknown lines are skipped.
[[nodiscard]] std::vector<KernelResources> read_ptxas_report(std::string_view log);

}  // namespace histolab::kernels::gpu
