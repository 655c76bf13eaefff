// The messages of findings: the event, its place, and the next step, for a reader who learns CUDA.
//
// Pure functions from the facts of a finding to text without the file name. The finding's kind,
// variable, index, threads and lines must be set.
#pragma once

#include <string>

#include "kernels/emulator/code/site.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/memory/window.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// Returns "thread 3 of block 0", or "thread (1, 2) of block (0, 3)" if a coordinate other than the
// first is not zero. The threads of one message have equally many coordinates.
[[nodiscard]] std::string describe(const ThreadId& id);
// Returns "histo[4]" or "private_histo[0]". Returns the name alone if the element is unknown.
[[nodiscard]] std::string describe_element(const Finding& finding);

// How both threads of a race update the element, each by a read and then a write, as far as known.
enum class Update : std::uint8_t {
  none,
  one_line,  // the read and the write are on one line.
  computed,  // the written value is computed from the read one.
  guarded,   // the read value decides whether the thread writes.
};

struct RaceFacts {
  AccessKind first, second;  // access of `thread`, access of `other_thread`
  bool same_block = true;
  bool same_warp = false;
  Update update = Update::none;
  // One access stores the value that the other one, an atomic operation, returned.
  bool stores_result = false;
  // The kernel calls fences, but none orders the two accesses.
  bool fences = false;
  // Both accesses are atomic: this one overwrites, the other one adds.
  bool first_overwrites = false, second_overwrites = false;
  // The kernel calls grid.sync(), but no call orders the two accesses.
  bool cooperative = false;
  // One access is an atomic operation of block scope on global memory.
  bool block_scope = false;
};
[[nodiscard]] std::string data_race_message(const Finding& finding, const RaceFacts& facts);
// For two writes.
[[nodiscard]] std::string same_value_message(const Finding& finding);
// `words`: the number of words for which races can be reported.
[[nodiscard]] std::string too_many_releases_message(const Finding& finding, std::size_t words);
[[nodiscard]] std::string out_of_bounds_message(const Finding& finding, AccessKind kind,
                                                std::uint64_t address, const Region* meant,
                                                std::uint32_t element_bytes);
[[nodiscard]] std::string write_to_input_message(const Finding& finding, bool constant);
[[nodiscard]] std::string atomic_on_local_message(const Finding& finding);
// For an access outside of the thread's local variables, and of all memory that it may use.
[[nodiscard]] std::string beyond_local_message(const Finding& finding, AccessKind kind,
                                               std::uint32_t bytes);
[[nodiscard]] std::string others_local_message(const Finding& finding, AccessKind kind);
// Follows describe(thread).
inline constexpr const char* calls_nothing =
    "calls a function through a pointer that does not point to one. Set the pointer before the "
    "call";
inline constexpr const char* stack_used_up =
    "needs more local memory than a thread's stack has (256 KiB). Make its local arrays smaller, "
    "or its recursion shallower";
// The number of elements of an array that a block has set, and the number of all elements.
struct SetElements {
  std::uint64_t set = 0, all = 0;
};
// For an access of `bytes` bytes. The first `written` of them are written.
[[nodiscard]] std::string uninitialized_read_message(const Finding& finding, AccessKind kind,
                                                     std::uint32_t bytes, std::uint32_t written,
                                                     SetElements elements);
// For global memory that began unset. `byte`: offset of the first unset byte in the element.
[[nodiscard]] std::string uninitialized_global_message(const Finding& finding, AccessKind kind,
                                                       std::uint64_t byte);
[[nodiscard]] std::string wrong_free_message(const Finding& finding,
                                             const DeviceHeap::Freeing& freeing);
[[nodiscard]] std::string use_after_free_message(const Finding& finding, AccessKind kind,
                                                 const Region& region);
// `byte`: offset in the variable, if its elements are not known.
[[nodiscard]] std::string misaligned_access_message(const Finding& finding, AccessKind kind,
                                                    std::uint32_t bytes,
                                                    std::optional<std::uint32_t> byte);
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

}  // namespace histolab::kernels::emulator
