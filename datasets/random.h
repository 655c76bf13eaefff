// Random numbers that are the same on every machine.
//
// SplitMix64 (reference/splitmix64.h). All draws are unsigned integer arithmetic; the distributions of <random> are left
// alone because their results differ between standard libraries.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/splitmix64.h"

namespace histolab::datasets {

class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}

  // A stream for a dataset and a user's seed. Neighbouring seeds give unrelated streams.
  Random(std::string_view dataset, std::uint64_t seed) : state_(reference::splitmix64_mixed(seed + reference::splitmix64_step)) {
    for (const char letter : dataset) state_ = reference::splitmix64_mixed(state_ ^ static_cast<unsigned char>(letter));
  }

  std::uint64_t next() { return reference::next_random(state_); }
  // What next() gives after `i` others: any place of the stream, without those before it.
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return reference::splitmix64_mixed(state_ + (i + 1) * reference::splitmix64_step); }

 private:
  std::uint64_t state_;
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
