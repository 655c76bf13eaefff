// Registers that are reserved for the runtime: switching lanes neither saves nor restores them.
//
// Kernels are compiled without them (kernels/worker/compiling/compiler_command.cpp). So is every
// file in which a lane may be suspended: it has to include this header. See docs/emulator.md,
// "Fibers and guards".
#pragma once

#include <cstdint>

namespace histolab::kernels::emulator {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wregister"
register std::uint64_t* next_record asm("r15");
register std::uint64_t left_alone_r12 asm("r12");
register std::uint64_t left_alone_r13 asm("r13");
register std::uint64_t left_alone_r14 asm("r14");
#pragma GCC diagnostic pop

}  // namespace histolab::kernels::emulator
