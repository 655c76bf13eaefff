// KernelSymbol: the symbol of the kernel that the harness launches.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/device.h"
#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

struct KernelSymbol {
  std::uint32_t number = 0;  // index in ObjectFile::symbols()
  std::string problem;       // the reason if no kernel was found, for the student; else empty
};

// Finds the kernel by the rules of choose_kernel() (kernels/kernel_name.h).
[[nodiscard]] KernelSymbol find_kernel(const ObjectFile& object, const KernelSignature& signature);

}  // namespace histolab::kernels::emulator
