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
        "{} but {} has already ended. Every thread of the grid must reach every grid.sync(), "
        "equally often: guard work by `if`, "
        "without an early return",
        waits, other);
  if (other_returned)
    return fmt::format(
        "{} but {} has already ended. Every thread must reach every __syncthreads(), equally "
        "often: none in a "
        "branch or in a loop of unequal rounds; guard work by `if`, without an early return",
        waits, other);
  if (of_grid)
    return fmt::format(
        "{} while {} waits at another one{}. All threads of the grid must reach the same "
        "grid.sync(), equally often: put it where no branch and no loop of unequal rounds keeps "
        "some of them away",
        waits, other, at_line(finding.other_line));
  return fmt::format(
      "{} while {} waits at another one{}. All threads of a block must reach the same "
      "__syncthreads(), equally often: "
      "put it where no branch and no loop of unequal rounds keeps some of them away",
      waits, other, at_line(finding.other_line));
}

std::string waits_for_earlier_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for a block with a lower number{}, so the blocks ran in ascending order here. GPUs "
      "start blocks in that order, but CUDA does "
      "not promise it: let the blocks draw tickets by atomicAdd, and wait for earlier tickets",
      describe(*finding.thread), at_line(finding.line));
}

std::string sleeps_message(const Finding& finding) {
  return fmt::format("{} sleeps and wakes without end. Check that what it waits for can happen",
                     describe(*finding.thread));
}

std::string too_many_grid_barriers_message(const Finding& finding, std::uint64_t times) {
  return fmt::format(
      "{} came to grid.sync() {} times, and the kernel is still running. Check what ends the loop "
      "around it",
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
        "{} keeps running without touching memory: its loop is endless, or far too long. Check "
        "what makes the loop's condition false",
        describe(*finding.thread));
  return fmt::format(
      "{} made more than {} memory accesses and barriers and is still running. Check that the "
      "loop's index grows "
      "in every round, that what it waits for can happen, and that no thread does the work of all",
      describe(*finding.thread), budget);
}

std::string deadlock_message(const Finding& finding, std::string_view others) {
  return fmt::format(
      "{} asks for {} for ever, and nobody is left to change it: {}. Give a lock back on every way "
      "and before the next barrier; "
      "go on with what a compare-and-swap returned; wait for no other block",
      describe(*finding.thread), describe_element(finding), others);
}

std::string waits_for_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for {}, which {} would change{}; CUDA promises that blocks run at the same time "
      "only for a cooperative launch. "
      "Let no block wait for another: leave the rest to the one that is last",
      describe(*finding.thread), describe_element(finding), describe(*finding.other_thread),
      finding.other_line > 0 ? fmt::format(" (line {})", finding.other_line) : std::string());
}

}  // namespace histolab::kernels::emulator
