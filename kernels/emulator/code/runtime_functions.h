// The functions of the runtime that an object file may call, by symbol.
//
// The loader looks up each undefined symbol here. The functions are in runtime/, and
// runtime/runtime.cpp contains the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

struct RuntimeFunction {
  const void* address = nullptr;
  AccessKind kind = AccessKind::load;
  // Width of the access in bytes. 0 if it does not access the kernel's memory, or if the width is
  // an argument of the call.
  std::uint8_t bytes = 0;
  // Memory ranges of any length that it accesses: 1 for memset, which writes; 2 for memcpy, which
  // reads another range first. Each range has two sites on the last bytes of the call, in the order
  // of access: one for its words and one for the remaining bytes.
  std::uint8_t ranges = 0;
  Scope scope = Scope::device;  // of an atomic operation
  bool is_volatile = false;     // of a store
};

// Returns nullopt if the runtime has no function with this symbol.
[[nodiscard]] std::optional<RuntimeFunction> runtime_function(std::string_view symbol);

// Returns whether this function orders memory. In a kernel that calls it, observers must see
// accesses in the order in which they are made.
[[nodiscard]] bool is_fence(std::string_view symbol);

// The barrier for all threads of the grid. A kernel that calls it is launched cooperatively.
inline constexpr std::string_view grid_barrier_symbol = "histolab_grid_sync";

}  // namespace histolab::kernels::emulator
