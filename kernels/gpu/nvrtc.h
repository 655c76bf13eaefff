// NVRTC: a CUDA source to machine code of one GPU architecture. Needs the toolkit's library, but no GPU and no driver.
//
// The compiler gets only the source, so lines in diagnostics are the student's own. The headers
// that a kernel may include are the toolkit's (cooperative_groups.h, cuda/atomic, ...) and a few of
// C++'s that NVRTC lacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/gpu/ptxas_report.h"

namespace histolab::kernels::gpu {

struct Compilation {
  std::vector<Diagnostic> diagnostics;  // warnings too
  std::vector<std::uint8_t> cubin;      // empty: there are errors
  std::vector<KernelResources> resources;
  bool is_cooperative = false;  // a kernel calls grid_group::sync() or is_valid()
};

// `capability`: 90 for sm_90. Returns an Error if the library failed, or does not know the
// architecture.
[[nodiscard]] Result<Compilation> compile_with_nvrtc(const std::string& text, int capability);

// The architectures that this toolkit compiles for, ascending: 75, 80, ...
[[nodiscard]] Result<std::vector<int>> nvrtc_architectures();
[[nodiscard]] std::string nvrtc_version();  // "13.0"

// The compiler's log as values, in the student's coordinates. Exposed for its tests.
[[nodiscard]] std::vector<Diagnostic> parse_nvrtc_log(const std::string& log);

}  // namespace histolab::kernels::gpu
