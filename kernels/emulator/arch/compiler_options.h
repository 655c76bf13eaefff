// Options of g++ for kernels that depend on the processor (kernels/worker/compiling).
#pragma once

namespace histolab::kernels::emulator {

inline constexpr const char* kernel_options[] = {
    // Returns and calls through pointers use the runtime (guards.h). No data is kept below the
    // stack pointer. Memory accesses have a form that can be proved (access_proof.h).
    "-fcf-protection=none", "-mfunction-return=thunk-extern", "-mindirect-branch=thunk-extern",
    "-mindirect-branch-register", "-mno-red-zone", "-mstringop-strategy=libcall",
    // Reserved for the runtime (lane_registers.h).
    "-ffixed-r12", "-ffixed-r13", "-ffixed-r14", "-ffixed-r15"};

// Undo a part of them for a debugger: code is neither guarded nor proved there.
inline constexpr const char* debugged_kernel_options[] = {"-mfunction-return=keep",
                                                          "-mindirect-branch=keep"};

}  // namespace histolab::kernels::emulator
