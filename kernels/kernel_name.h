// Kernel names: finds the kernel that the harness launches among the functions of a compiled file,
// and makes names readable. These are pure functions on mangled names, for the output of g++
// (emulator) and of NVRTC (GPU).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels {

struct FunctionSymbol {
  std::string name;        // mangled
  bool is_kernel = false;  // __global__
};

struct KernelChoice {
  std::size_t number = 0;  // index in `functions`
  std::string problem;     // empty if a kernel was found; else a sentence for the student
};

// Finds the kernel by the signature's name and, if the mangled name has them, by its parameters.
// Templates and functions without __global__ are not kernels.
[[nodiscard]] KernelChoice choose_kernel(const std::vector<FunctionSymbol>& functions,
                                         const KernelSignature& signature);

// "_Z9histogramPKcjPj" -> "histogram(char const*, unsigned int, unsigned int*)". Returns any other
// name unchanged.
[[nodiscard]] std::string demangle(const std::string& name);

// "histogram(char const*)::tile" -> "tile".
[[nodiscard]] std::string last_name(const std::string& demangled);

}  // namespace histolab::kernels
