// KernelSymbol: which symbol of an object file is the kernel that the harness launches.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/device.h"
#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

struct KernelSymbol {
  std::uint32_t number = 0;  // in ObjectFile::symbols()
  std::string problem;       // not empty: why there is none, in a sentence for the student
};

// See choose_kernel() in kernels/kernel_name.h.
[[nodiscard]] KernelSymbol find_kernel(const ObjectFile& object, const KernelSignature& signature);

}  // namespace histolab::kernels::emulator
