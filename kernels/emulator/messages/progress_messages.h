// The messages of findings about threads that do not come to their end: barriers, waiting, endless
// loops and faults. Each has the event, its place, and the next step.
//
// The finding's kind, variable, index, threads and lines must be set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// `of_grid`: one of the two threads waits at grid.sync().
[[nodiscard]] std::string barrier_divergence_message(const Finding& finding, bool other_returned,
                                                     bool of_grid = false);
// For a wait that ended once the blocks ran in ascending order.
[[nodiscard]] std::string waits_for_earlier_block_message(const Finding& finding);
[[nodiscard]] std::string sleeps_message(const Finding& finding);
[[nodiscard]] std::string too_many_grid_barriers_message(const Finding& finding,
                                                         std::uint64_t times);
// For the first `blocks` blocks of a grid.
[[nodiscard]] std::string too_large_to_suspend_message(std::uint64_t blocks, std::uint64_t bytes,
                                                       std::uint64_t most_bytes);
// A budget of 0 means that the thread used processor time without touching memory.
[[nodiscard]] std::string step_limit_message(const Finding& finding, std::uint64_t budget);
// For a thread that polls memory that no thread will change. `others`: describes the states of the
// block's other threads.
[[nodiscard]] std::string deadlock_message(const Finding& finding, std::string_view others);
// For a thread that polls a word that another thread would change, in a block that has not run.
[[nodiscard]] std::string waits_for_block_message(const Finding& finding);
// Follows describe(thread).
inline constexpr const char* calls_nothing =
    "calls a function through a pointer that does not point to one. Set the pointer before the "
    "call";
inline constexpr const char* stack_used_up =
    "needs more local memory than a thread's stack has (256 KiB). Make its local arrays smaller, "
    "or its recursion shallower";

}  // namespace histolab::kernels::emulator
