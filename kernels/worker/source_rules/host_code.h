// Errors for host code that a kernel uses: g++ compiles it, CUDA's compilers refuse it.
//
// g++ reports the functions that the kernel calls and the variables that it uses. The source shows
// whether they are declared for the device. A name with a macro of the file in front is accepted.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/emulator.h"
#include "kernels/worker/compiling/call_graph.h"

namespace histolab::kernels::worker {

// Returns one error per function without __device__, per call by which the standard library
// allocates memory, and per variable without __device__ or __constant__. Each has the line of the
// first use; the order is that of the source.
[[nodiscard]] std::vector<Diagnostic> host_code_in_kernel(
    const std::string& text, const std::vector<Call>& calls,
    const std::vector<emulator::UsedVariable>& variables);

// Returns one error for each of these variables that is a device variable: setting it would need
// code before the launch, and CUDA runs none.
[[nodiscard]] std::vector<Diagnostic> device_variables_set_by_code(
    const std::string& text, const std::vector<std::string>& set_before_launch);

}  // namespace histolab::kernels::worker
