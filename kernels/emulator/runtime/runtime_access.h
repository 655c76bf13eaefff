// RuntimeAccess: the runtime's functions report accesses to memory by it, before they make them.
// Only runtime*.cpp and guards.cpp use it.
//
// The code for each access is inlined, so a callback is a few instructions. Rare cases are not
// inlined.
#pragma once

#include <cstdint>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/arch/return_by_jump.h"
#include "kernels/emulator/memory/window.h"
#include "kernels/emulator/run/block_runner.h"
#include "kernels/emulator/runtime/runtime_table.h"

namespace histolab::kernels::emulator {

#define RETURN_ADDRESS __builtin_return_address(0)

inline SiteNumber site_of(const void* return_address) {
  return static_cast<SiteNumber>(reinterpret_cast<std::uint64_t>(return_address));
}

// Appends a record for the running lane. Returns false if its log is full now, so the lane must
// pause for judgement.
[[gnu::always_inline]] inline bool record_has_room(std::uint64_t address,
                                                   const void* return_address) {
  *next_record = address | reinterpret_cast<std::uint64_t>(return_address) << 48;
  next_record += WarpLog::lanes;
  return !WarpLog::full(next_record);
}

[[gnu::always_inline]] inline bool is_stray(std::uint64_t address) {
  return address - current.window_begin >= current.window_size;
}
[[nodiscard]] inline bool is_in_shared(const void* p) {
  return reinterpret_cast<std::uint64_t>(p) - current.window_begin - Window::image_bytes <
         Window::shared_bytes;
}
[[nodiscard]] inline bool is_in_stacks(std::uint64_t address) {
  return address - current.window_begin - current.window_size <
         Window::max_stacks * Window::stack_bytes;
}

// Returns true if the address is in the used part of the running lane's own stack, above `above`.
// Stacks are outside of the window's range.
[[nodiscard]] inline bool is_own(std::uint64_t address, const void* above) {
  return is_of_own_stack(address, reinterpret_cast<std::uint64_t>(above));
}

// Returns true if the running lane does not record this access (Current::skipped). An address
// outside of the window is not skipped.
[[gnu::always_inline]] inline bool skips(std::uint64_t address) {
  if (current.left_to_skip == 0 || is_stray(address)) return false;
  --current.left_to_skip;
  return true;
}

// Suspends the lane until its rows are judged, because its log is full.
void pause_for_judgement();

// Yields in stepping schedules: before a write, and before the first read after one. If
// Current::announces is set, it yields before each access and announces it.
void yield_before(bool write, std::uint64_t address, bool read, const void* return_address);

// Records an access at any address. If the address is outside of the window, it does not return.
void record(std::uint64_t address, const void* return_address);

// Returns true if an access that a check found is the one that a callback has reported before it
// (Site::report_age).
[[nodiscard]] bool was_reported(std::uint64_t address, const Site& site);

// Records an access that no callback reported. `behind_check`: the site of the access. The read of
// an update has the site before it.
void record_unreported(std::uint64_t address, const Site& site, std::uint64_t behind_check);

// Shows the recorded access to the runner, if Current::shows is set. No other lane runs between
// this call and the access.
void show(std::uint64_t address, const void* return_address, bool updates = true,
          bool belongs_to_last = false);

}  // namespace histolab::kernels::emulator
