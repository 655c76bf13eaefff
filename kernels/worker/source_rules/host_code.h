// Host code that a kernel uses: g++ compiles it, CUDA's compilers refuse it.
//
// g++ reports which functions the kernel calls and which variables its code refers to; the source
// shows whether their declarations make them the device's. If a macro of the file is in front of a
// name, there is no error.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/emulator.h"
#include "kernels/worker/compiling/call_graph.h"

namespace histolab::kernels::worker {

// One error for each function without __device__, each call by which the standard library gets memory, and each variable without
// __device__ or __constant__, at its first use; in the order of the source.
[[nodiscard]] std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<Call>& calls,
                                                          const std::vector<emulator::UsedVariable>& variables);

// One error for each of these variables that is the device's: code would have to run before the launch to set it, and CUDA runs none.
[[nodiscard]] std::vector<Diagnostic> device_variables_set_by_code(const std::string& text, const std::vector<std::string>& set_before_launch);

}  // namespace histolab::kernels::worker
