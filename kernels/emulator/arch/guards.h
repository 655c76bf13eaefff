// Guards: the checks between a kernel's code and the rest of the process while it runs.
//
// Returns, and calls through pointers, are compiled as jumps to the two functions of the runtime
// here. One checks that the return address is behind a call of one of the kernel's own functions
// and leaves that function's frame in the lane's stack. The other checks that the pointer leads to
// the begin of a function. The loader marks these places when it has placed the code.
// A check in front of an access that is not proved (confined_code.h) calls the runtime if the
// address is not in the lane's own stack. Reads of constants and built-in variables pass. An access
// to a buffer or a variable is recorded like those that callbacks report; any other ends the launch
// with a finding. Accesses to local arrays that a GPU keeps in memory are recorded too.
#pragma once

#include <cstdint>
#include <string_view>

namespace histolab::kernels::emulator {

// Called with the address in rax and the place behind the check's call in rcx. Keeps all other
// registers.
extern "C" void histolab_unproved_access();
// Set in rcx: the access is to the lane's own stack, and may be to a local array.
inline constexpr std::uint64_t is_of_local_check = 1ull << 63;
// Targets of a kernel's returns, and of its calls through a pointer in a register. Never called
// from here.
extern "C" void histolab_checked_return();
[[nodiscard]] const void* checked_call_through(std::string_view symbol);  // __x86_indirect_thunk_rax, ...; nullptr: it is none

// The valid targets in the code that is placed at `text`. They belong to the process: it runs one
// kernel at a time.
void forget_code_places(const std::uint8_t* text);
void mark_function(std::uint32_t offset);
void mark_return(std::uint32_t offset, std::uint32_t depth);

// The guards call these when a check fails. They are in runtime/guard_handlers.cpp.
extern "C" {
[[noreturn]] void histolab_end_by_return();
[[noreturn]] void histolab_end_by_call(std::uint64_t return_address);
void histolab_record_unproved(std::uint64_t address, std::uint64_t behind_check);
}

}  // namespace histolab::kernels::emulator
