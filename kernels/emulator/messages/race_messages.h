// The messages of findings about races: the event, its place, and the next step.
//
// The finding's kind, variable, index, threads and lines must be set.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/emulator/code/site.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

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

}  // namespace histolab::kernels::emulator
