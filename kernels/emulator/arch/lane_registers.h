// Registers that lanes do not keep for themselves. Kernels are compiled without them (kernels/worker/compiling/compiler_command.cpp), and so is
// every file that includes this: all those in which a lane may be suspended.
//
// One holds the place of the running lane's next record: an access then need not wait for the one before it to reach memory
// and come back. The others keep what the OS thread had there, so that to suspend a lane is to keep two registers and not
// five. Functions of other files may use them all, since they put back what they found.
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
