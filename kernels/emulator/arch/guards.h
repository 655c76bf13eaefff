// Guards: run-time checks that keep a kernel's code apart from the rest of the process.
//
// They check returns, calls through pointers, and accesses that the proof did not cover. See
// docs/emulator.md, "Fibers and guards".
#pragma once

#include <cstdint>
#include <string_view>

namespace histolab::kernels::emulator {

// A check calls this with the accessed address in rax, and the address behind the check's call in
// rcx. Preserves all other registers.
extern "C" void histolab_unproved_access();
// A bit in rcx: the access is to the lane's own stack, possibly to a local array.
inline constexpr std::uint64_t is_of_local_check = 1ull << 63;
// The kernel's returns jump here. The emulator itself never calls it.
extern "C" void histolab_checked_return();
// Returns the target for calls through a pointer in a register, by the compiler's symbol for it
// (__x86_indirect_thunk_rax, ...). Returns nullptr for any other symbol.
[[nodiscard]] const void* checked_call_through(std::string_view symbol);

// The valid targets of returns and calls, as offsets in the text. There is one set per process,
// since a process runs one kernel at a time.
// Removes all targets. The next ones are for the code at `text`.
void forget_code_places(const std::uint8_t* text);
// A function begins at `offset`.
void mark_function(std::uint32_t offset);
// A call ends at `offset`. `depth`: bytes of the caller's frame above the stack pointer, including
// its return address.
void mark_return(std::uint32_t offset, std::uint32_t depth);

// Handlers, defined in runtime/guard_handlers.cpp. The first two end the launch after a failed
// check. The third handles an access that the proof did not cover.
extern "C" {
[[noreturn]] void histolab_end_by_return();
[[noreturn]] void histolab_end_by_call(std::uint64_t return_address);
void histolab_record_unproved(std::uint64_t address, std::uint64_t behind_check);
}

}  // namespace histolab::kernels::emulator
