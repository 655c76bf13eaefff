#include "kernels/emulator/word_groups.h"

#include <emmintrin.h>  // SSE2: part of every x86-64

namespace histolab::kernels::emulator {
namespace {

// Bits of the 32 bytes that equal byte `l`.
struct ByteLanes {
  __m128i low, high;
  alignas(16) std::array<std::uint8_t, 32> bytes;

  // Words relative to `first`, which must fit into bytes for all lanes.
  ByteLanes(const std::array<std::uint32_t, 32>& offset, std::uint32_t first) {
    const __m128i base = _mm_set1_epi32(static_cast<int>(first));
    const auto words = [&](int i) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offset.data()) + i);
      return _mm_sub_epi32(_mm_srli_epi32(four, 2), base);
    };
    const auto sixteen = [&](int i) {
      return _mm_packus_epi16(_mm_packs_epi32(words(i), words(i + 1)), _mm_packs_epi32(words(i + 2), words(i + 3)));
    };
    low = sixteen(0);
    high = sixteen(4);
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes.data()), low);
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes.data()) + 1, high);
  }
  [[nodiscard]] std::uint32_t like(std::uint32_t lane) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(bytes[lane]));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted))) |
           static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted))) << 16;
  }
};

struct WideLanes {
  const std::array<std::uint32_t, 32>& offset;
  [[nodiscard]] std::uint32_t like(std::uint32_t lane) const {
    std::uint32_t same = 0;
    for (std::uint32_t l = 0; l < 32; ++l) same |= std::uint32_t{offset[l] / 4 == offset[lane] / 4} << l;
    return same;
  }
};

template <class Lanes>
void collect(const Lanes& all, std::uint32_t active, WordGroups& groups) {
  for (std::uint32_t left = active; left != 0;) {
    const std::uint32_t same = all.like(static_cast<std::uint32_t>(__builtin_ctz(left))) & active;
    groups.lanes[groups.count++] = same;
    left &= ~same;
  }
}

}  // namespace

WordGroups group_by_word(const std::array<std::uint32_t, 32>& offset, std::uint32_t active, std::uint32_t lowest, std::uint32_t highest) {
  WordGroups groups;
  if (highest / 4 - lowest / 4 < 256) collect(ByteLanes(offset, lowest / 4), active, groups);
  else collect(WideLanes{offset}, active, groups);
  return groups;
}

}  // namespace histolab::kernels::emulator
