// RuntimeAccess: how the runtime's functions report an access to memory, before or as they make it.
// Only files of this room use it.
//
// The code for each access is inlined, so that a callback is a few instructions. Rare cases are out
// of line.
#pragma once

#include <cstdint>

#include "kernels/emulator/run/block_runner.h"
#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/runtime/runtime_table.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// A lane that was suspended returns to where another lane's call never came from: the processor's prediction of returns is
// then wrong each time, and its prediction of jumps mostly right. Such functions return by a jump.
#define RETURNS_BY_JUMP [[gnu::function_return("thunk-extern")]]
#define RETURN_ADDRESS __builtin_return_address(0)

inline SiteNumber site_of(const void* return_address) {
  return static_cast<SiteNumber>(reinterpret_cast<std::uint64_t>(return_address));
}

// Appends a record for the running lane. Returns false if its log is full now, and it has to pause
// for judgement.
[[gnu::always_inline]] inline bool record_has_room(std::uint64_t address, const void* return_address) {
  *next_record = address | reinterpret_cast<std::uint64_t>(return_address) << 48;
  next_record += WarpLog::lanes;
  return !WarpLog::full(next_record);
}

[[gnu::always_inline]] inline bool is_stray(std::uint64_t address) { return address - current.window_begin >= current.window_size; }
[[nodiscard]] inline bool lies_in_shared(const void* p) { return reinterpret_cast<std::uint64_t>(p) - current.window_begin - Window::image_bytes < Window::shared_bytes; }
[[nodiscard]] inline bool lies_in_stacks(std::uint64_t address) { return address - current.window_begin - current.window_size < Window::max_stacks * Window::stack_bytes; }

// The part of a lane's own stack that is in use, above `above`. It is outside of the window's
// range.
[[nodiscard]] inline bool is_own(std::uint64_t address, const void* above) { return is_of_own_stack(address, reinterpret_cast<std::uint64_t>(above)); }

// The log is full: the lane pauses until it was judged.
void pause_for_judgement();

// The lane yields before a write, and before the first read after one; or before each access, and
// announces it.
void give_way(bool write, std::uint64_t address, bool read, const void* return_address);

// For an access that may lead anywhere; from a wild address there is no return.
void record(std::uint64_t address, const void* return_address);

// Is an access of a check the one that a callback has reported before it (Site::report_age)?
[[nodiscard]] bool was_reported(std::uint64_t address, const Site& site);

// Records an access that no callback reported. `behind_check`: its site; the read of an update has
// the one before it.
void record_unreported(std::uint64_t address, const Site& site, std::uint64_t behind_check);

// The recorded access is made now: no other lane runs before it is.
void show(std::uint64_t address, const void* return_address, bool updates = true, bool belongs_to_last = false);

}  // namespace histolab::kernels::emulator
