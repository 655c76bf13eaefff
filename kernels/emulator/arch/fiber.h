// Fiber: a flow of control with a stack of its own, switched to by hand.
//
// A switch keeps only what the System V ABI says a function keeps and a lane uses (lane_registers.h), and not the
// floating-point control words, which a kernel cannot change; it is inlined, so a waiting lane occupies few cache lines. That is why it is here: with
// Boost.Context's jump the same launch took a sixth longer (256 threads a block, 8 elements a thread). It ends in a jump,
// not in a return, so that the processor's prediction of returns stays right.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/emulator/arch/lane_registers.h"

namespace histolab::kernels::emulator {

// The state of a flow of control: its stack pointer. nullptr if there is none.
using Fiber = void*;

// Stores the caller's state in `*save` and continues from the state `to`. Code that this is inlined
// into must keep nothing below its stack pointer: it is compiled with -mno-red-zone.
[[gnu::always_inline]] inline void switch_to(Fiber* save, Fiber to) {
  asm volatile(
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%[save])\n\t"
      "movq %[to], %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp"
      : [save] "+D"(save), [to] "+S"(to), "+r"(next_record)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

// A fiber that begins at `entry`, which must never return, on the stack that ends at `top`.
[[gnu::always_inline]] inline Fiber make_fiber(std::uint8_t* top, void (*entry)()) {
  // At entry the stack pointer is 8 short of a multiple of 16, as after a call.
  auto* stack = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 2;
  stack[0] = reinterpret_cast<void*>(entry);
  return stack;
}

}  // namespace histolab::kernels::emulator
