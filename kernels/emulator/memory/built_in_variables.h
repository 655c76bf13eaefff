// The built-in variables of a kernel (threadIdx, blockIdx, blockDim, gridDim, warpSize): one copy
// per OS thread, in its thread-local storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace histolab::kernels::emulator {

struct Uint3 {
  std::uint32_t x, y, z;
};

// The values in the calling OS thread.
extern constinit thread_local Uint3 thread_index;
void set_block_index(Uint3 block);
void set_shape(Uint3 grid, Uint3 block);

// Returns the offset of the variable with this symbol from the thread pointer of the calling OS
// thread, in bytes. Returns nullopt if the symbol is not a built-in variable.
[[nodiscard]] std::optional<std::int64_t> built_in_variable(std::string_view symbol);
// Returns whether all of the bytes are in one built-in variable of the calling OS thread.
[[nodiscard]] bool is_built_in_variable(std::uint64_t address, std::uint64_t bytes);

}  // namespace histolab::kernels::emulator
