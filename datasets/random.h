// Random numbers that are the same on every machine, and that cannot be computed from a few of
// them.
//
// Random is the keystream of ChaCha8 (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008):
// without the key, no number follows from the others. All draws are unsigned integer arithmetic;
// the distributions of <random> are not used because their results differ between standard
// libraries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/splitmix64.h"

namespace histolab::datasets {

// Blocks `first` to `first` + 7 of ChaCha's keystream as numbers of 64 bits, low byte first.
// `rounds` is even.
struct ChaChaKey {
  std::array<std::uint32_t, 8> words{};
  std::uint64_t nonce = 0;
};
inline constexpr std::size_t chacha_numbers = 8 * 8;
void chacha_blocks(const ChaChaKey& key, std::uint64_t first, int rounds,
                   std::span<std::uint64_t, chacha_numbers> out);

class Random {
 public:
  explicit Random(std::uint64_t key)
      : key_{{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}} {}

  // A stream for a dataset and a user's seed. Its key takes 64 steps to derive, so that trying
  // seeds one after another soon costs a kernel more than reading its data.
  Random(std::string_view dataset, std::uint64_t seed);

  std::uint64_t next() {
    if (next_ == numbers_.size()) refill();
    return numbers_[next_++];
  }

 private:
  void refill();

  ChaChaKey key_;
  std::uint64_t block_ = 0;
  std::size_t next_ = chacha_numbers;
  std::array<std::uint64_t, chacha_numbers> numbers_;  // of the last blocks
};

// Random numbers by position (SplitMix64), for shapes whose numbers never appear as data: a drift,
// a texture. They are fast at any position, but one whole number gives all others away.
class Positions {
 public:
  explicit Positions(std::uint64_t key) : key_(key) {}
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const {
    return reference::splitmix64_mixed(key_ + (i + 1) * reference::splitmix64_step);
  }

 private:
  std::uint64_t key_;
};

// 0 <= result < bound, from 32 random bits. The bias is below bound / 2^32.
constexpr std::uint32_t below(std::uint32_t bound, std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{bits} * bound) >> 32);
}

// 2^outcome_bits outcomes with given weights, drawn in constant time from 32 random bits (Walker's alias method in
// integers: a column by the upper bits, then its own outcome or its alias by the lower ones). Exact to 2^-32 of a draw for
// each column that an outcome has a part in. There are tables of 8 and of 16 bits.
template <unsigned outcome_bits>
class Weighted {
 public:
  // Weight i belongs to outcome i; missing ones are 0. Their sum is not 0, and below 2^40 (8 bits) or 2^47 (16 bits).
  explicit Weighted(std::span<const std::uint64_t> weights);

  // No branch: which way it goes is a coin flip, and half of the predictions would be wrong.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t bits) const {
    const std::uint32_t column = bits >> share_bits, entry = columns_[column], alias = entry & (outcomes - 1);
    const std::uint32_t own = 0u - static_cast<std::uint32_t>((bits & (kept_by_all - 1)) < entry >> outcome_bits);
    return alias ^ ((alias ^ column) & own);
  }

 private:
  static constexpr unsigned share_bits = 32 - outcome_bits;
  static constexpr std::uint32_t outcomes = 1u << outcome_bits, kept_by_all = 1u << share_bits;
  std::array<std::uint32_t, outcomes> columns_{};  // share << outcome_bits | alias; the share of 2^share_bits that it keeps
};

}  // namespace histolab::datasets
