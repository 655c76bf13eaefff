// The registers of code that a signal has interrupted.
//
// `context` is the third argument of the signal's handler.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace histolab::kernels::emulator {

[[nodiscard]] inline std::uint64_t register_of(const void* context, int number) {
  return static_cast<std::uint64_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[number]);
}

[[nodiscard]] inline std::uint64_t instruction_of(const void* context) {
  return register_of(context, REG_RIP);
}
[[nodiscard]] inline std::uint64_t stack_pointer_of(const void* context) {
  return register_of(context, REG_RSP);
}
// Returns the dividend if the instruction is a division.
[[nodiscard]] inline std::uint64_t dividend_of(const void* context) {
  return register_of(context, REG_RAX);
}

// Sets whether the interrupted code stops again (SIGTRAP) after its next instruction.
inline void step_by_step(void* context, bool on) {
  constexpr greg_t trap_flag = 0x100;
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags = on ? flags | trap_flag : flags & ~trap_flag;
}

}  // namespace histolab::kernels::emulator
