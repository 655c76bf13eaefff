// Host code that a kernel uses: g++ compiles it, CUDA's compilers refuse it.
//
// The compiler's debug information says which functions and variables the kernel really uses; the source says whether
// their declarations make them the device's. Where a macro of the file stands in front of a name, nothing is said.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/debug_info.h"

namespace histolab::kernels::worker {

// One error for each function without __device__ and each variable without __device__ or __constant__, at its first use.
[[nodiscard]] std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<emulator::UsedName>& functions,
                                                          const std::vector<emulator::UsedName>& variables);

}  // namespace histolab::kernels::worker
