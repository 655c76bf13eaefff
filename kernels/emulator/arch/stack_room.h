// Room on the lane's stack for what a library's function takes, or an observer's.
//
// They run on the stack of the lane that called. One that has no room left ends by a fault in the guard below (block_runner_signals.cpp), and
// the lane is left where it is: in the midst of malloc that would be with a lock held, and the next one to ask would wait for ever.
#pragma once

namespace histolab::kernels::emulator {

// Faults here and now, where nothing is half done yet.
[[gnu::always_inline]] inline void need_stack_room() {
  asm volatile("testb $0, -16384(%%rsp)" ::: "cc", "memory");
}

}  // namespace histolab::kernels::emulator
