// KernelCall: a kernel and its arguments, and the jump into it on a lane's stack.
//
// See docs/emulator.md, "Fibers and guards".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/emulator/arch/lane_registers.h"
#include "kernels/emulator/arch/raw_arguments.h"

namespace histolab::kernels::emulator {

struct KernelCall {
  const void* entry = nullptr;
  RawArguments arguments;
  bool is_shallow = false;  // see Module
  // Calls the kernel on this stack. The arguments on the stack go to the bytes from `stack_top` on.
  // The kernel returns to histolab_lane_returned (kernel_call.cpp).
  [[noreturn]] void enter(std::uint8_t* stack_top) const;
};

// The kernel can return only to the address given here (guards.h), with an empty stack. The code
// there needs nothing from the kernel's stack or registers. It jumps to histolab_lane_ended()
// (lanes.h).
[[noreturn, gnu::always_inline]] inline void KernelCall::enter(std::uint8_t* stack_top) const {
  static_assert(offsetof(KernelCall, entry) == 0 && offsetof(KernelCall, arguments.integers) == 8 &&
                offsetof(KernelCall, arguments.vectors) == 56);
  if (arguments.stack_bytes != 0) [[unlikely]]
    std::memcpy(stack_top, arguments.stack.data(), arguments.stack_bytes);
  asm volatile(
      "movq %%rcx, %%rsp\n\t"
      "leaq histolab_lane_returned(%%rip), %%r10\n\t"
      "pushq %%r10\n\t"
      "cmpb $0, %c[has_vectors](%%rax)\n\t"
      "je 1f\n\t"
      "movups 56(%%rax), %%xmm0\n\t"
      "movups 72(%%rax), %%xmm1\n\t"
      "movups 88(%%rax), %%xmm2\n\t"
      "movups 104(%%rax), %%xmm3\n\t"
      "movups 120(%%rax), %%xmm4\n\t"
      "movups 136(%%rax), %%xmm5\n\t"
      "movups 152(%%rax), %%xmm6\n\t"
      "movups 168(%%rax), %%xmm7\n\t"
      "1:\n\t"
      "movq 8(%%rax), %%rdi\n\t"
      "movq 16(%%rax), %%rsi\n\t"
      "movq 24(%%rax), %%rdx\n\t"
      "movq 32(%%rax), %%rcx\n\t"
      "movq 40(%%rax), %%r8\n\t"
      "movq 48(%%rax), %%r9\n\t"
      "jmpq *(%%rax)"
      :
      : "a"(this), "c"(stack_top),
        "r"(next_record), [has_vectors] "i"(offsetof(KernelCall, arguments.has_vectors))
      : "memory");
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
