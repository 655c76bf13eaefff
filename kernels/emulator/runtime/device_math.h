// Mathematical functions for kernels: those of libm by their C names, CUDA's own, and arithmetic
// with a rounding mode.
//
// Pure functions of numbers. They do not access the kernel's memory or the emulator's state.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

// Returns the symbol and the address of each function.
[[nodiscard]] std::vector<std::pair<std::string_view, const void*>> device_mathematics();

}  // namespace histolab::kernels::emulator
