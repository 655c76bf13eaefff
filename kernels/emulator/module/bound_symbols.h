// BoundSymbols: the undefined symbols of a kernel, bound to the runtime.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/module/kernel_parts.h"

namespace histolab::kernels::emulator {

// The functions of the runtime that a kernel names.
struct NamedFunctions {
  bool has_fence = false, has_warp_sync = false, allocates = false;
  bool has_grid_barrier = false;
};
[[nodiscard]] NamedFunctions functions_named_by(const KernelParts& parts);

struct BoundSymbols {
  // By number of the symbol. Built-in variables: their offset from the thread pointer.
  std::map<std::uint32_t, RuntimeFunction> functions;
  std::map<std::uint32_t, std::int64_t> built_ins;
  std::set<std::uint32_t> unsupported;  // they do not exist here
};
[[nodiscard]] BoundSymbols bind_symbols(const KernelParts& parts);

// Returns what is wrong with the initial values of the kernel's __shared__ variables: shared memory
// is not initialized. Returns one mistake per section, or only those up to the first variable with
// a constructor.
[[nodiscard]] std::vector<std::string> shared_initializers(const KernelParts& parts);

}  // namespace histolab::kernels::emulator
