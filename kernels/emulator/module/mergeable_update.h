// MergeableUpdate: atomic operations whose results can be merged if two groups of blocks ran apart.
//
// They are integer operations that commute and associate. See docs/emulator.md, "Loading".
#pragma once

#include <cstdint>
#include <string_view>

namespace histolab::kernels::emulator {

enum class MergeableUpdate : std::uint8_t {
  none,
  add_32,
  add_64,
  and_32,
  and_64,
  or_32,
  or_64,
  xor_32,
  xor_64,
  min_i32,
  min_u32,
  min_i64,
  min_u64,
  max_i32,
  max_u32,
  max_i64,
  max_u64
};
inline constexpr std::uint8_t mergeable_updates = 17;

// Returns the operation that a function of the runtime makes, such as "histolab_atomicAdd_u32".
// Returns `none` if it is not mergeable.
[[nodiscard]] MergeableUpdate mergeable_update(std::string_view symbol);

// Returns the size of the updated word in bytes, 0 for `none`.
[[nodiscard]] std::uint32_t bytes_of(MergeableUpdate update);

// Returns the final value of a word that was `before`, if one group of blocks alone changes it to
// `one`, and another group alone to `other`.
[[nodiscard]] std::uint64_t merged(MergeableUpdate update, std::uint64_t before, std::uint64_t one,
                                   std::uint64_t other);

}  // namespace histolab::kernels::emulator
