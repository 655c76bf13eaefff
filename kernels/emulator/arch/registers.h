// The registers of an Instruction (instruction.h) by number, and their roles in calls.
//
// General registers have their number from machine code. Vector registers and the status flags
// follow. The roles are those of the System V ABI for x86-64.
#pragma once

#include <cstdint>

namespace histolab::kernels::emulator {

inline constexpr int no_register = -1;  // also any register that has no number here
inline constexpr int general_registers = 16;
inline constexpr int first_vector = 16;
inline constexpr int flags_register = 48;

inline constexpr int result_register = 0;           // rax
inline constexpr int stack_register = 4;            // rsp
inline constexpr int frame_register = 5;            // rbp
inline constexpr int second_argument_register = 6;  // rsi
inline constexpr int first_argument_register = 7;   // rdi
// If a frame is aligned to more than the ABI requires, g++ keeps the stack pointer of the
// function's entry in it. It restores the stack pointer from it, or from the frame pointer.
inline constexpr int entry_stack_register = 10;  // r10

// All status flags, one bit per flag: overflow, sign, zero, parity and carry, as in the flags
// register.
inline constexpr std::uint16_t status_flags = 0x8c5;

[[nodiscard]] constexpr bool is_general_register(int number) {
  return number >= 0 && number < general_registers;
}

// Sets of registers, one bit per number.
using Registers = std::uint64_t;
inline constexpr Registers argument_registers =
    1u << 1 | 1u << 2 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 0xffull << first_vector;
// Of any function; and of one that returns a number, an integer or a floating-point one.
inline constexpr Registers result_registers = 1u << result_register | 3ull << first_vector;
inline constexpr Registers number_results = 1u << result_register | 1ull << first_vector;
// The registers that a function leaves as they were.
inline constexpr Registers kept_by_calls = 1u << 3 | 1u << 4 | 1u << 5 | 0xfu << 12;

// Returns whether the register is the runtime's own (lane_registers.h). A kernel must not write it.
[[nodiscard]] constexpr bool is_reserved_register(int number) {
  return number >= 12 && number < 16;
}

}  // namespace histolab::kernels::emulator
