// Fiber: a flow of control with a stack of its own. The program switches between fibers by hand.
//
// See docs/emulator.md, "Fibers and guards".
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/emulator/arch/lane_registers.h"

namespace histolab::kernels::emulator {

// The state of a suspended flow of control: its stack pointer. Null if it is not suspended.
using Fiber = void*;

// Stores the caller's state in `*save` and continues from the state `to`. This is inlined. The
// surrounding code must not keep data below its stack pointer, so it is compiled with
// -mno-red-zone.
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
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15");
}

// Returns a fiber that begins at `entry`, on the stack that ends at `top`. `entry` must never
// return.
[[gnu::always_inline]] inline Fiber make_fiber(std::uint8_t* top, void (*entry)()) {
  // At entry the stack pointer is 8 short of a multiple of 16, as after a call.
  auto* stack =
      reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 2;
  stack[0] = reinterpret_cast<void*>(entry);
  return stack;
}

}  // namespace histolab::kernels::emulator
