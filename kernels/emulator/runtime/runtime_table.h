// RuntimeTable: the functions that a kernel's object file is bound to, by symbol. They are the
// compiler's access callbacks and the device functions that the shim declares.
//
// Every callback appends one record to the log of the running lane before the access is made
// (block_runner.h).
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
void add_callbacks(RuntimeTable& table, bool stepping);  // what the compiler calls (runtime_callbacks.cpp)
void add_atomics(RuntimeTable& table, bool stepping);    // runtime_atomics.cpp
void add_warp_functions(RuntimeTable& table);            // shuffles, votes and similar (runtime_warps.cpp)

}  // namespace histolab::kernels::emulator
