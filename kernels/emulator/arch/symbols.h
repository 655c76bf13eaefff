// Symbols that the compiler uses for returns and for calls through pointers in a kernel.
//
// The options of the compiler ask for them (compiler_options.h). guards.h has the functions.
#pragma once

#include <string_view>

namespace histolab::kernels::emulator {

// A function returns by a jump to it.
inline constexpr std::string_view return_symbol = "__x86_return_thunk";
// A call through a pointer is a call of this prefix, followed by the name of the register that
// holds the pointer.
inline constexpr std::string_view call_through_prefix = "__x86_indirect_thunk_";
// All of the compiler's names of this sort begin with it.
inline constexpr std::string_view machine_symbol_prefix = "__x86_";

}  // namespace histolab::kernels::emulator
