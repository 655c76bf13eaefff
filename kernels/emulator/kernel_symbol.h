// KernelSymbol: which symbol of an object file is the kernel that the harness launches, and what names read like.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/device.h"
#include "kernels/emulator/object_file.h"

namespace histolab::kernels::emulator {

struct KernelSymbol {
  std::uint32_t number = 0;  // in ObjectFile::symbols()
  std::string problem;       // not empty: why there is none, in a sentence for the student
};

// By the signature's name and, where the object tells them, its parameters. Templates and functions
// without __global__ are no kernels.
[[nodiscard]] KernelSymbol find_kernel(const ObjectFile& object, const KernelSignature& signature);

// "_Z9histogramPKcjPj" -> "histogram(char const*, unsigned int, unsigned int*)"; anything else stays as it is.
[[nodiscard]] std::string demangle(const std::string& name);

// "histogram(char const*)::tile" -> "tile".
[[nodiscard]] std::string last_name(const std::string& demangled);

}  // namespace histolab::kernels::emulator
