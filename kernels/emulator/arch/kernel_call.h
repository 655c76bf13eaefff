// KernelCall: a kernel and its arguments, and the jump into it on a lane's stack.
//
// See docs/emulator.md, "Fibers and guards".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/emulator/arch/lane_registers.h"

namespace histolab::kernels::emulator {

// The arguments are addresses and words, passed as integers by the System V ABI.
struct KernelCall {
  using Word = std::uint64_t;
  void (*entry)(Word, Word, Word, Word, Word, Word) = nullptr;
  std::array<Word, 6> arguments{};
  bool is_shallow = false;  // see Module
  // Calls the kernel on this stack. The kernel returns to histolab_lane_returned (kernel_call.cpp).
  [[noreturn]] void enter(std::uint8_t* stack_top) const;
};

// The kernel can return only to the address given here (guards.h), with an empty stack. The code
// there needs nothing from the kernel's stack or registers. It jumps to histolab_lane_ended()
// (lanes.h).
[[noreturn, gnu::always_inline]] inline void KernelCall::enter(std::uint8_t* stack_top) const {
  static_assert(offsetof(KernelCall, entry) == 0 && offsetof(KernelCall, arguments) == 8);
  asm volatile(
      "movq %%rcx, %%rsp\n\t"
      "leaq histolab_lane_returned(%%rip), %%r10\n\t"
      "pushq %%r10\n\t"
      "movq 8(%%rax), %%rdi\n\t"
      "movq 16(%%rax), %%rsi\n\t"
      "movq 24(%%rax), %%rdx\n\t"
      "movq 32(%%rax), %%rcx\n\t"
      "movq 40(%%rax), %%r8\n\t"
      "movq 48(%%rax), %%r9\n\t"
      "jmpq *(%%rax)"
      :
      : "a"(this), "c"(stack_top), "r"(next_record)
      : "memory");
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
