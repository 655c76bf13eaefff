// The output of ptxas -v for each kernel, as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::gpu {

struct KernelResources {
  std::string symbol;  // mangled
  std::uint32_t registers = 0;     // of a thread
  std::uint64_t shared_bytes = 0;  // static, of a block
  std::uint64_t stack_bytes = 0;   // of a thread: local memory, spills among it; of the functions that it calls, too
  std::uint64_t spill_store_bytes = 0, spill_load_bytes = 0;
};

// In the order in which ptxas reports them; unknown lines are skipped.
[[nodiscard]] std::vector<KernelResources> read_ptxas_report(std::string_view log);

}  // namespace histolab::kernels::gpu
