// WordGroups: the lanes of an access grouped by four-byte word of the region.
//
// Several observers need the groups of the same access. A histogram has few bins, so a group per
// distinct word is cheaper to process than 32 lanes.
#pragma once

#include <array>
#include <cstdint>

namespace histolab::kernels::emulator {

struct WordGroups {
  std::uint32_t count = 0;  // number of distinct words
  // The words as bits if they are few and all among the first 64 of the region. Else 0.
  std::uint64_t words = 0;
  std::array<std::uint32_t, 33> lanes;  // lanes per word, as bits. The last entry is scratch space.
};

// Groups the `active` lanes. `offset`: per lane, in bytes. `lowest` and `highest` are the bounds of
// the active lanes' offsets.
[[nodiscard]] WordGroups group_by_word(const std::array<std::uint32_t, 32>& offset,
                                       std::uint32_t active, std::uint32_t lowest,
                                       std::uint32_t highest);

}  // namespace histolab::kernels::emulator
