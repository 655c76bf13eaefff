// WordGroups: which lanes of an access are in the same four-byte word of the region.
//
// Several observers ask that of the same access, and a histogram has few bins: a group per distinct word is cheaper to
// look at than 32 lanes.
#pragma once

#include <array>
#include <cstdint>

namespace histolab::kernels::emulator {

struct WordGroups {
  std::uint32_t count = 0;                      // distinct words
  std::uint64_t words = 0;                      // as bits, if all are among the region's first 64 and few; else 0
  std::array<std::uint32_t, 33> lanes;          // of each, as bits; the last is scratch
};

// `offset`: of each lane in bytes; `lowest` and `highest` bound those of the `active` lanes.
[[nodiscard]] WordGroups group_by_word(const std::array<std::uint32_t, 32>& offset, std::uint32_t active, std::uint32_t lowest,
                                       std::uint32_t highest);

}  // namespace histolab::kernels::emulator
