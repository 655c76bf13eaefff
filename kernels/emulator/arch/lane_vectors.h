// Vector instructions over one value per lane of a warp.
#pragma once

#include <smmintrin.h>

#include <array>
#include <cstdint>

namespace histolab::kernels::emulator {

using LaneValues = std::array<std::uint32_t, 32>;

// The lowest value, and the lanes that have it, as bits.
struct LowestValue {
  std::uint32_t value, lanes;
};

// `values` must be aligned to 16 bytes. Needs SSE4.1, which the emulator is compiled for.
[[nodiscard]] inline LowestValue lowest_value(const LaneValues& values) {
  const auto* fours = reinterpret_cast<const __m128i*>(values.data());
  __m128i four[8];
  for (int i = 0; i < 8; ++i) four[i] = _mm_load_si128(fours + i);
  __m128i least = _mm_min_epu32(
      _mm_min_epu32(_mm_min_epu32(four[0], four[1]), _mm_min_epu32(four[2], four[3])),
      _mm_min_epu32(_mm_min_epu32(four[4], four[5]), _mm_min_epu32(four[6], four[7])));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0b01'00'11'10));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0b10'11'00'01));
  const auto sixteen = [&](int i) {
    const __m128i low =
        _mm_packs_epi32(_mm_cmpeq_epi32(four[i], least), _mm_cmpeq_epi32(four[i + 1], least));
    const __m128i high =
        _mm_packs_epi32(_mm_cmpeq_epi32(four[i + 2], least), _mm_cmpeq_epi32(four[i + 3], least));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return {static_cast<std::uint32_t>(_mm_cvtsi128_si32(least)), sixteen(0) | sixteen(4) << 16};
}

// One byte per lane: its four-byte word, counted from word `first`. `offset`: in bytes. All active
// lanes must be less than 256 words behind `first`; the bytes of other lanes have no meaning.
class LaneWords {
 public:
  LaneWords(const LaneValues& offset, std::uint32_t first) {
    const __m128i base = _mm_set1_epi32(static_cast<int>(first));
    const auto words = [&](int i) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offset.data()) + i);
      return _mm_sub_epi32(_mm_srli_epi32(four, 2), base);
    };
    const auto sixteen = [&](int i) {
      return _mm_packus_epi16(_mm_packs_epi32(words(i), words(i + 1)),
                              _mm_packs_epi32(words(i + 2), words(i + 3)));
    };
    low_ = sixteen(0);
    high_ = sixteen(4);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes_), low_);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes_) + 1, high_);
  }
  [[nodiscard]] std::uint8_t operator[](int lane) const { return bytes_[lane]; }
  // Returns the lanes whose word is `word`, as bits.
  [[nodiscard]] std::uint32_t lanes_at(std::uint8_t word) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(word));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low_, wanted))) |
           static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high_, wanted))) << 16;
  }

 private:
  __m128i low_, high_;
  std::uint8_t bytes_[32];
};

}  // namespace histolab::kernels::emulator
