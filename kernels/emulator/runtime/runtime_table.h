// RuntimeTable: the functions that a kernel's object file is bound to, by symbol. They are the
// compiler's access callbacks and the device functions that the shim declares.
//
// Each callback appends a record to the log of the running lane before the access is made.
#pragma once

#include <string_view>
#include <unordered_map>

#include "kernels/emulator/code/runtime_functions.h"

namespace histolab::kernels::emulator {

template <class F>
[[nodiscard]] const void* address_of(F* function) {
  return reinterpret_cast<const void*>(function);
}

using RuntimeTable = std::unordered_map<std::string_view, RuntimeFunction>;
// Adds the compiler's callbacks.
void add_callbacks(RuntimeTable& table);
// Adds atomic operations.
void add_atomics(RuntimeTable& table);
// Adds shuffles, votes and similar functions.
void add_warp_functions(RuntimeTable& table);

}  // namespace histolab::kernels::emulator
