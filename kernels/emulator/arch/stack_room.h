// Stack space for functions of libraries and observers, which run on the calling lane's stack.
//
// A stack overflow faults in the unmapped guard below the stack (block_runner_endings.cpp), and the
// lane is abandoned there. If this happened inside malloc, the lock would stay held, and the next
// caller would deadlock.
#pragma once

namespace histolab::kernels::emulator {

// Faults now if less than 16 KiB of stack is left: the caller has not begun any work yet.
[[gnu::always_inline]] inline void need_stack_room() {
  asm volatile("testb $0, -16384(%%rsp)" ::: "cc", "memory");
}

}  // namespace histolab::kernels::emulator
