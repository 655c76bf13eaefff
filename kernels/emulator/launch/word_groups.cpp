#include "kernels/emulator/launch/word_groups.h"

#include <array>

#include "kernels/emulator/arch/lane_vectors.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t few_words = 16, most_near_words = 256;

// `words`: the number of words from the lowest to the highest, both included, at most
// most_near_words. If they are few, the loop goes over words, not lanes.
void group_near(const LaneValues& offset, std::uint32_t active, std::uint32_t first,
                std::uint32_t words, WordGroups& groups) {
  const LaneWords lanes(offset, first);
  if (words <= few_words) {
    std::uint32_t present = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
      const std::uint32_t same = lanes.lanes_at(static_cast<std::uint8_t>(word)) & active;
      groups.lanes[groups.count] = same;
      groups.count += same != 0;
      present |= std::uint32_t{same != 0} << word;
    }
    if (first + words <= 64) groups.words = std::uint64_t{present} << first;
    return;
  }
  // Two loops without a branch. The words are random numbers: no branch could be predicted.
  static constinit thread_local std::array<std::uint32_t, most_near_words> of_word{};
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    of_word[lanes[lane]] |= 1u << lane;
  }
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    std::uint32_t& same = of_word[lanes[__builtin_ctz(left)]];
    groups.lanes[groups.count] = same;
    groups.count += same != 0;
    same = 0;
  }
}

void group_wide(const LaneValues& offset, std::uint32_t active, WordGroups& groups) {
  for (std::uint32_t left = active; left != 0;) {
    const std::uint32_t word = offset[static_cast<std::uint32_t>(__builtin_ctz(left))] / 4;
    std::uint32_t same = 0;
    for (std::uint32_t l = 0; l < 32; ++l) same |= std::uint32_t{offset[l] / 4 == word} << l;
    same &= active;
    groups.lanes[groups.count++] = same;
    left &= ~same;
  }
}

}  // namespace

WordGroups group_by_word(const LaneValues& offset, std::uint32_t active, std::uint32_t lowest,
                         std::uint32_t highest) {
  WordGroups groups;
  const std::uint32_t words = highest / 4 - lowest / 4 + 1;
  if (words <= most_near_words)
    group_near(offset, active, lowest / 4, words, groups);
  else
    group_wide(offset, active, groups);
  return groups;
}

}  // namespace histolab::kernels::emulator
