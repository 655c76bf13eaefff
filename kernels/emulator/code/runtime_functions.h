// The functions of the runtime that an object file may call, by their symbols.
//
// The loader looks up each undefined symbol here. The entry says which kind of access a call makes.
// The functions themselves are in runtime/, whose runtime.cpp makes the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

struct RuntimeFunction {
  const void* address = nullptr;
  AccessKind kind = AccessKind::load;
  // Width of the access. 0: no access to the kernel's memory, or the call says the width itself.
  std::uint8_t bytes = 0;
  // 1 for memset, which writes; 2 for memcpy, which reads another range first. They take any
  // length. Each range has two sites, on the last bytes of the call in the order of access: one for
  // its words and one for the bytes that are left.
  std::uint8_t ranges = 0;
  Scope scope = Scope::device;  // of an atomic operation
  bool is_volatile = false;     // of a store
};

// `stepping`: lanes pause before each write, so that the schedule decides which goes first; or each
// access is shown to the observers as it is made (Current has the mode).
[[nodiscard]] std::optional<RuntimeFunction> runtime_function(std::string_view symbol, bool stepping);

// Returns whether the kernel orders memory by it, so that the order of accesses matters. Then
// observers must see accesses in the order in which they are made.
[[nodiscard]] bool is_fence(std::string_view symbol);

// Waits for all threads of the grid. A kernel that calls it is launched cooperatively.
inline constexpr std::string_view grid_barrier_symbol = "histolab_grid_sync";

}  // namespace histolab::kernels::emulator
