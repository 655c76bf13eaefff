// Checksums of the memory through which threads communicate.
#pragma once

#include <cstdint>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// Returns the checksum `sum`, continued with a word.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
  return sum ^ sum >> 29;
}

// Returns a checksum of the memory through which the threads of a block communicate: global and
// shared memory that a kernel can write.
[[nodiscard]] std::uint64_t checksum(const Window& window);
// Returns a checksum of the memory through which blocks communicate: its part in global memory.
[[nodiscard]] std::uint64_t global_checksum(const Window& window);

}  // namespace histolab::kernels::emulator
