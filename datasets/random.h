// Random numbers that are the same on every machine. A few of them do not reveal the others: Random
// is the keystream of ChaCha8 (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008). All draws
// use unsigned integer arithmetic. The distributions of <random> differ between standard libraries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/splitmix64.h"

namespace histolab::datasets {

// chacha_blocks() writes the blocks `first` to `first` + 7 of ChaCha's keystream to `out`, as
// numbers of 64 bits, low byte first. `rounds` must be even.
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

  // A stream for a dataset and a user's seed. Deriving the key takes 64 steps. So a kernel that
  // guesses the seed by trying many would soon need more time than one that reads the data.
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
  std::array<std::uint64_t, chacha_numbers> numbers_;  // from the current blocks
};

// Random numbers by position (SplitMix64), for shapes such as a drift or a texture. Access to
// any position is fast, but one complete number reveals all others. So these numbers must not
// appear as data.
class Positions {
 public:
  explicit Positions(std::uint64_t key) : key_(key) {}
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const {
    return reference::splitmix64_mixed(key_ + (i + 1) * reference::splitmix64_step);
  }

 private:
  std::uint64_t key_;
};

// Returns a number from 0 to bound - 1 from 32 random bits. The bias is below bound / 2^32.
constexpr std::uint32_t below(std::uint32_t bound, std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{bits} * bound) >> 32);
}

// Draws one of 2^outcome_bits outcomes with given weights from 32 random bits, in constant time. It
// is Walker's alias method in integers: the upper bits select a column, the lower bits select the
// column's own outcome or its alias. A probability has an error of at most 2^-32 per column in
// which the outcome occurs. outcome_bits is 8 or 16.
template <unsigned outcome_bits>
class Weighted {
 public:
  // Weight i belongs to outcome i; missing weights are 0. The sum must be > 0, and < 2^40 (8 bits)
  // or < 2^47 (16 bits).
  explicit Weighted(std::span<const std::uint64_t> weights);

  // Written without a branch, because it would be taken at random and often mispredicted.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t bits) const {
    const std::uint32_t column = bits >> share_bits, entry = columns_[column],
                        alias = entry & (outcomes - 1);
    const std::uint32_t own =
        0u - static_cast<std::uint32_t>((bits & (kept_by_all - 1)) < entry >> outcome_bits);
    return alias ^ ((alias ^ column) & own);
  }

 private:
  static constexpr unsigned share_bits = 32 - outcome_bits;
  static constexpr std::uint32_t outcomes = 1u << outcome_bits, kept_by_all = 1u << share_bits;
  // Per column: share << outcome_bits | alias. The share, out of 2^share_bits, belongs to the
  // column's own outcome.
  std::array<std::uint32_t, outcomes> columns_{};
};

}  // namespace histolab::datasets
