#include "kernels/emulator/module/mergeable_update.h"

#include <algorithm>
#include <unordered_map>

namespace histolab::kernels::emulator {
namespace {

template <class T>
std::uint64_t lower(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(std::min(static_cast<T>(a), static_cast<T>(b)));
}
template <class T>
std::uint64_t higher(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(std::max(static_cast<T>(a), static_cast<T>(b)));
}

}  // namespace

MergeableUpdate mergeable_update(std::string_view symbol) {
  using enum MergeableUpdate;
  static const std::unordered_map<std::string_view, MergeableUpdate> known = {
      {"Add_i32", add_32},  {"Add_u32", add_32},  {"Add_u64", add_64},  {"Sub_i32", add_32},
      {"Sub_u32", add_32},  {"And_i32", and_32},  {"And_u32", and_32},  {"And_u64", and_64},
      {"Or_i32", or_32},    {"Or_u32", or_32},    {"Or_u64", or_64},    {"Xor_i32", xor_32},
      {"Xor_u32", xor_32},  {"Xor_u64", xor_64},  {"Min_i32", min_i32}, {"Min_u32", min_u32},
      {"Min_i64", min_i64}, {"Min_u64", min_u64}, {"Max_i32", max_i32}, {"Max_u32", max_u32},
      {"Max_i64", max_i64}, {"Max_u64", max_u64}};
  constexpr std::string_view prefix = "histolab_atomic";
  if (!symbol.starts_with(prefix)) return none;
  const auto found = known.find(symbol.substr(prefix.size()));
  return found == known.end() ? none : found->second;
}

std::uint32_t bytes_of(MergeableUpdate update) {
  switch (update) {
    using enum MergeableUpdate;
    case none: return 0;
    case add_32:
    case and_32:
    case or_32:
    case xor_32:
    case min_i32:
    case min_u32:
    case max_i32:
    case max_u32: return 4;
    case add_64:
    case and_64:
    case or_64:
    case xor_64:
    case min_i64:
    case min_u64:
    case max_i64:
    case max_u64: return 8;
  }
  return 0;
}

// For operations on 32 bits, the upper half of the arguments is 0, and the caller ignores the upper
// half of the result.
std::uint64_t merged(MergeableUpdate update, std::uint64_t before, std::uint64_t one,
                     std::uint64_t other) {
  switch (update) {
    using enum MergeableUpdate;
    case none: return other;
    case add_32:
    case add_64: return one + other - before;
    case and_32:
    case and_64: return one & other;
    case or_32:
    case or_64: return one | other;
    case xor_32:
    case xor_64: return one ^ other ^ before;
    case min_i32: return lower<std::int32_t>(one, other);
    case min_u32: return lower<std::uint32_t>(one, other);
    case min_i64: return lower<std::int64_t>(one, other);
    case min_u64: return lower<std::uint64_t>(one, other);
    case max_i32: return higher<std::int32_t>(one, other);
    case max_u32: return higher<std::uint32_t>(one, other);
    case max_i64: return higher<std::int64_t>(one, other);
    case max_u64: return higher<std::uint64_t>(one, other);
  }
  return other;
}

}  // namespace histolab::kernels::emulator
