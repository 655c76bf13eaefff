// Compiles a CUDA source with NVRTC to machine code of one GPU architecture. This needs the
// toolkit's library, but no GPU and no driver. NVRTC gets the source unchanged, so diagnostics have
// the student's lines. A kernel may include the toolkit's headers (cooperative_groups.h,
// cuda/atomic, ...) and some C++ headers that NVRTC lacks (docs/gpu.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/gpu/ptxas_report.h"

namespace histolab::kernels::gpu {

struct Compilation {
  std::vector<Diagnostic> diagnostics;  // errors and warnings
  std::vector<std::uint8_t> cubin;      // empty if there are errors
  std::vector<KernelResources> resources;
  bool is_cooperative = false;  // a kernel calls grid_group::sync() or is_valid()
};

// `capability` is 90 for sm_90. Returns an Error if the library fails or does not support the
// architecture.
[[nodiscard]] Result<Compilation> compile_with_nvrtc(const std::string& text, int capability);

// Returns the architectures that this toolkit supports, ascending: 75, 80, ... Returns an Error if
// NVRTC does not report them.
[[nodiscard]] Result<std::vector<int>> nvrtc_architectures();
[[nodiscard]] std::string nvrtc_version();  // "13.0"

// Parses the compiler's log. Lines and columns are those of the student's source. Public for tests.
[[nodiscard]] std::vector<Diagnostic> parse_nvrtc_log(const std::string& log);

}  // namespace histolab::kernels::gpu
