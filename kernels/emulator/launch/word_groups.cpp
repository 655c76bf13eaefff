#include "kernels/emulator/launch/word_groups.h"

#include <emmintrin.h>

namespace histolab::kernels::emulator {
namespace {

using Offsets = std::array<std::uint32_t, 32>;

constexpr std::uint32_t few_words = 16;

// One byte per lane: its word relative to the lowest one. equal() returns, as bits, the lanes whose
// byte equals `value`. SSE2 is part of every x86-64.
struct LaneBytes {
  __m128i low, high;
  std::uint8_t bytes[32];

  LaneBytes(const Offsets& offset, std::uint32_t first) {
    const __m128i base = _mm_set1_epi32(static_cast<int>(first));
    const auto words = [&](int i) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offset.data()) + i);
      return _mm_sub_epi32(_mm_srli_epi32(four, 2), base);
    };
    const auto sixteen = [&](int i) {
      return _mm_packus_epi16(_mm_packs_epi32(words(i), words(i + 1)),
                              _mm_packs_epi32(words(i + 2), words(i + 3)));
    };
    low = sixteen(0);
    high = sixteen(4);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes) + 1, high);
  }
  [[nodiscard]] std::uint32_t equal(std::uint8_t value) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted))) |
           static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted))) << 16;
  }
};

// `words`: the number of words from the lowest to the highest, both included, at most 256. If they
// are few, the loop goes over words, not lanes: then no step depends on the one before.
void group_near(const Offsets& offset, std::uint32_t active, std::uint32_t first,
                std::uint32_t words, WordGroups& groups) {
  const LaneBytes lanes(offset, first);
  if (words <= few_words) {
    std::uint32_t present = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
      const std::uint32_t same = lanes.equal(static_cast<std::uint8_t>(word)) & active;
      groups.lanes[groups.count] = same;
      groups.count += same != 0;
      present |= std::uint32_t{same != 0} << word;
    }
    if (first + words <= 64) groups.words = std::uint64_t{present} << first;
    return;
  }
  for (std::uint32_t left = active; left != 0;) {
    const std::uint32_t same = lanes.equal(lanes.bytes[__builtin_ctz(left)]) & active;
    groups.lanes[groups.count++] = same;
    left &= ~same;
  }
}

void group_wide(const Offsets& offset, std::uint32_t active, WordGroups& groups) {
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

WordGroups group_by_word(const Offsets& offset, std::uint32_t active, std::uint32_t lowest,
                         std::uint32_t highest) {
  WordGroups groups;
  const std::uint32_t words = highest / 4 - lowest / 4 + 1;
  if (words <= 256)
    group_near(offset, active, lowest / 4, words, groups);
  else
    group_wide(offset, active, groups);
  return groups;
}

}  // namespace histolab::kernels::emulator
