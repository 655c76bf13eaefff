#include "kernels/emulator/messages/progress_messages.h"

#include <fmt/format.h>

#include "kernels/emulator/messages/names.h"

namespace histolab::kernels::emulator {

std::string barrier_divergence_message(const Finding& finding, bool other_returned, bool of_grid) {
  const ThreadNames names(*finding.thread, *finding.other_thread);
  const std::string waits = fmt::format("{} waits at the barrier{}", names.both(*finding.thread),
                                        at_line(finding.line)),
                    other = names.both(*finding.other_thread);
  if (other_returned && of_grid)
    return fmt::format(
        "{}, but {} has already exited. Every thread of the grid must reach every grid.sync() the "
        "same number of times: guard work with `if` instead of returning early",
        waits, other);
  if (other_returned)
    return fmt::format(
        "{}, but {} has already exited. Every thread must reach every __syncthreads() the same "
        "number of times: do not put one in a branch, or in a loop that some threads leave "
        "earlier; guard work with `if` instead of returning early",
        waits, other);
  if (of_grid)
    return fmt::format(
        "{} while {} waits at another one{}. All threads of the grid must reach the same "
        "grid.sync() the same number of times: move it out of branches, and out of loops that some "
        "threads leave earlier",
        waits, other, at_line(finding.other_line));
  return fmt::format(
      "{} while {} waits at another one{}. All threads of a block must reach the same "
      "__syncthreads() the same number of times: move it out of branches, and out of loops that "
      "some threads leave earlier",
      waits, other, at_line(finding.other_line));
}

std::string waits_for_earlier_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for a block with a lower number{}, so the blocks ran in ascending order here. GPUs "
      "start blocks in that order, but CUDA does not guarantee it: let the blocks draw tickets "
      "with atomicAdd, and wait for earlier tickets",
      describe(*finding.thread), at_line(finding.line));
}

std::string sleeps_message(const Finding& finding) {
  return fmt::format("{} sleeps and wakes up forever. Check that the event it waits for can happen",
                     describe(*finding.thread));
}

std::string too_many_grid_barriers_message(const Finding& finding, std::uint64_t times) {
  return fmt::format(
      "{} reached grid.sync() {} times, and the kernel is still running. Check the condition that "
      "ends the loop around it",
      describe(*finding.thread), times);
}

std::string too_large_to_suspend_message(std::uint64_t blocks, std::uint64_t bytes,
                                         std::uint64_t most_bytes) {
  return fmt::format(
      "at grid.sync() the first {} blocks hold {} MiB of local and shared memory, more than the "
      "emulator keeps for a grid ({} MiB). "
      "A GPU may run this launch: make local arrays smaller, or launch fewer threads",
      blocks, bytes >> 20, most_bytes >> 20);
}

std::string step_limit_message(const Finding& finding, std::uint64_t budget) {
  if (budget == 0)
    return fmt::format(
        "{} keeps running without touching memory: its loop never ends, or runs far too long. "
        "Check that the loop's condition becomes false",
        describe(*finding.thread));
  return fmt::format(
      "{} made more than {} memory accesses and barriers and is still running. Check that the "
      "loop's index grows in every round, that the event it waits for can happen, and that no "
      "thread does all the work",
      describe(*finding.thread), budget);
}

std::string deadlock_message(const Finding& finding, std::string_view others) {
  return fmt::format(
      "{} polls {} forever, and no thread can change it: {}. Release a lock on every path and "
      "before the next barrier; continue with the value that a compare-and-swap returned; do not "
      "wait for another block",
      describe(*finding.thread), describe_element(finding), others);
}

std::string waits_for_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for {}, which {} would change{}; CUDA guarantees that blocks run at the same time "
      "only for a cooperative launch. Count finished blocks with atomicAdd, and let the last one "
      "do the rest",
      describe(*finding.thread), describe_element(finding), describe(*finding.other_thread),
      at_line(finding.other_line));
}

}  // namespace histolab::kernels::emulator
