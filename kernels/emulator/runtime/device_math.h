// The mathematics that kernels may call: libm's by their C names, CUDA's own, and arithmetic with a rounding.
//
// Plain functions of numbers: they touch no memory of the kernel's, and nothing of the emulator's.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

// Symbol and address of each.
[[nodiscard]] std::vector<std::pair<std::string_view, const void*>> device_mathematics();

}  // namespace histolab::kernels::emulator
