// The sentences of findings: what happened, where, and what to do next, for someone who learns CUDA.
//
// Pure functions from the facts of a finding (its kind, variable, index, threads and lines must be set) to text without
// the file name.
#pragma once

#include <string>

#include "kernels/emulator/device_heap.h"
#include "kernels/emulator/site.h"
#include "kernels/emulator/window.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// "thread 3 of block 0"; "thread (1, 2) of block (0, 3)" if a coordinate other than the first is
// not zero. The threads of one message have equally many coordinates.
[[nodiscard]] std::string describe(const ThreadId& id);
// "histo[4]", "private_histo[0]"; the name alone if the element is not known.
[[nodiscard]] std::string describe_element(const Finding& finding);

// How the two threads of a race both update the element, each by a read and then a write, as far as is known.
enum class Update : std::uint8_t {
  none,
  one_line,  // both steps are on one line
  computed,  // what is written is computed from what was read
  guarded,   // what was read decides whether anything is written
};

struct RaceFacts {
  AccessKind first, second;  // of `thread`, of `other_thread`
  bool same_block = true;
  bool same_warp = false;
  Update update = Update::none;
  bool stores_result = false;  // one of them stores what the other, which is atomic, returned
  bool fences = false;       // the kernel calls some, but none orders the two
  bool first_overwrites = false, second_overwrites = false;  // of two atomic operations: the other one adds
  bool cooperative = false;  // the kernel calls grid.sync(), but none orders the two
  bool block_scope = false;  // one of them is an atomic operation of block scope on global memory
};
[[nodiscard]] std::string data_race_message(const Finding& finding, const RaceFacts& facts);
// For two writes.
[[nodiscard]] std::string same_value_message(const Finding& finding);
// `words`: the number of words for which races can be reported.
[[nodiscard]] std::string too_many_releases_message(const Finding& finding, std::size_t words);
[[nodiscard]] std::string out_of_bounds_message(const Finding& finding, AccessKind kind, std::uint64_t address,
                                                const Region* meant, std::uint32_t element_bytes);
[[nodiscard]] std::string write_to_input_message(const Finding& finding, bool constant);
[[nodiscard]] std::string atomic_on_local_message(const Finding& finding);
// For an access that hits neither a local variable nor any other memory of the thread.
[[nodiscard]] std::string beyond_local_message(const Finding& finding, AccessKind kind, std::uint32_t bytes);
[[nodiscard]] std::string others_local_message(const Finding& finding, AccessKind kind);
// Behind describe(thread).
inline constexpr const char* calls_nothing = "calls a function through a pointer that leads to none. Set the pointer before the call";
// How many of an array's elements a block has set.
struct SetElements {
  std::uint64_t set = 0, all = 0;
};
// For an access of `bytes` bytes; the first `written` of them are written.
[[nodiscard]] std::string uninitialized_read_message(const Finding& finding, AccessKind kind,
                                                     std::uint32_t bytes, std::uint32_t written,
                                                     SetElements elements);
// For global memory that began unset. `byte`: the first unset one, within the element.
[[nodiscard]] std::string uninitialized_global_message(const Finding& finding, AccessKind kind, std::uint64_t byte);
[[nodiscard]] std::string wrong_free_message(const Finding& finding, const DeviceHeap::Freeing& freeing);
[[nodiscard]] std::string use_after_free_message(const Finding& finding, AccessKind kind, const Region& region);
// `byte`: position in the variable, if its elements are not known.
[[nodiscard]] std::string misaligned_access_message(const Finding& finding, AccessKind kind, std::uint32_t bytes, std::optional<std::uint32_t> byte);
// `of_grid`: one of the two waits at grid.sync().
[[nodiscard]] std::string barrier_divergence_message(const Finding& finding, bool other_returned,
                                                     bool of_grid = false);
// For a wait that ended once the blocks ran in ascending order.
[[nodiscard]] std::string waits_for_earlier_block_message(const Finding& finding);
[[nodiscard]] std::string sleeps_message(const Finding& finding);
[[nodiscard]] std::string too_many_grid_barriers_message(const Finding& finding, std::uint64_t times);
// For the first `blocks` blocks of a grid.
[[nodiscard]] std::string too_large_to_suspend_message(std::uint64_t blocks, std::uint64_t bytes,
                                                       std::uint64_t most_bytes);
// A budget of 0 means that the thread used processor time without touching memory.
[[nodiscard]] std::string step_limit_message(const Finding& finding, std::uint64_t budget);

}  // namespace histolab::kernels::emulator
