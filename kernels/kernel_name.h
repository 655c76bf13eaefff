// Kernel names: finds the kernel that the harness launches among the functions of a compiled file,
// and makes names readable.
//
// Pure functions on mangled names, the same for what g++ makes for the emulator and what NVRTC makes for a GPU.
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
  std::size_t number = 0;  // in the list that was given
  std::string problem;     // not empty: why there is none, in a sentence for the student
};

// Found by the signature's name and, if the mangled name has them, its parameters. Templates and
// functions without __global__ are not kernels.
[[nodiscard]] KernelChoice choose_kernel(const std::vector<FunctionSymbol>& functions, const KernelSignature& signature);

// "_Z9histogramPKcjPj" -> "histogram(char const*, unsigned int, unsigned int*)"; anything else stays as it is.
[[nodiscard]] std::string demangle(const std::string& name);

// "histogram(char const*)::tile" -> "tile".
[[nodiscard]] std::string last_name(const std::string& demangled);

}  // namespace histolab::kernels
