// MergeableUpdate: atomic operations that two groups of blocks may make apart from each other.
//
// They are those of integers that commute and associate. Then the final value of a word does not
// depend on the order, and can be computed from the results of each group alone. None of these is
// mergeable: floating-point sums round, atomicInc and atomicDec wrap at each call's own bound,
// exchanges and swaps keep the last value only. Nor is an operation of block scope, which may not
// meet another block's at all.
#pragma once

#include <cstdint>
#include <string_view>

namespace histolab::kernels::emulator {

enum class MergeableUpdate : std::uint8_t {
  none, add_32, add_64, and_32, and_64, or_32, or_64, xor_32, xor_64, min_i32, min_u32, min_i64, min_u64, max_i32, max_u32, max_i64, max_u64
};
inline constexpr std::uint8_t mergeable_updates = 17;

// Returns the effect of the runtime's function of this name: "histolab_atomicAdd_u32".
[[nodiscard]] MergeableUpdate mergeable_update(std::string_view symbol);

[[nodiscard]] std::uint32_t bytes_of(MergeableUpdate update);

// Returns the final value of a word that was `before`, if one group of updates alone makes it
// `one`, and another alone `other`.
[[nodiscard]] std::uint64_t merged(MergeableUpdate update, std::uint64_t before, std::uint64_t one, std::uint64_t other);

}  // namespace histolab::kernels::emulator
