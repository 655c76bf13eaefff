// The runtime's warp-level functions. Each deposits its call and returns the result of the warp's
// lanes.
//
// Values are passed as bits. Signed and unsigned arguments use the same registers and share a
// function. Floating-point arguments use others.
#include <cstring>

#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {
namespace {

template <class To, class From>
To with_bits_of(From from) {
  To to{};
  std::memcpy(&to, &from, sizeof to < sizeof from ? sizeof to : sizeof from);
  return to;
}

std::uint64_t meet(const void* return_address, WarpFunction function, std::uint32_t mask,
                   std::uint64_t value = 0, std::uint32_t operand = 0, std::uint32_t width = 32) {
  return current.runner->meet(function, site_of(return_address), mask, value, operand, width);
}

template <WarpFunction function, class T>
[[gnu::noinline]] T shuffle_of(std::uint32_t mask, T value, std::uint32_t operand,
                               std::uint32_t width) {
  return with_bits_of<T>(
      meet(RETURN_ADDRESS, function, mask, with_bits_of<std::uint64_t>(value), operand, width));
}
template <WarpFunction function, class T>
[[gnu::noinline]] std::uint32_t vote_of(std::uint32_t mask, T value) {
  return static_cast<std::uint32_t>(
      meet(RETURN_ADDRESS, function, mask, with_bits_of<std::uint64_t>(value)));
}
[[gnu::noinline]] std::uint32_t active_mask() {
  return static_cast<std::uint32_t>(meet(RETURN_ADDRESS, WarpFunction::active_mask, ~0u));
}
[[gnu::noinline]] void syncwarp(std::uint32_t mask) {
  meet(RETURN_ADDRESS, WarpFunction::sync, mask);
}

template <class F>
RuntimeFunction function_at(F* function) {
  return {address_of(function)};
}

}  // namespace

void add_warp_functions(RuntimeTable& table) {
#define SHUFFLE(symbol, function)                                                            \
  table["histolab_" symbol "_u32"] =                                                         \
      function_at(shuffle_of<WarpFunction::function, std::uint32_t>);                        \
  table["histolab_" symbol "_u64"] =                                                         \
      function_at(shuffle_of<WarpFunction::function, std::uint64_t>);                        \
  table["histolab_" symbol "_f32"] = function_at(shuffle_of<WarpFunction::function, float>); \
  table["histolab_" symbol "_f64"] = function_at(shuffle_of<WarpFunction::function, double>);
#define MATCH(symbol, function)                                                                   \
  table["histolab_" symbol "_u32"] = function_at(vote_of<WarpFunction::function, std::uint32_t>); \
  table["histolab_" symbol "_u64"] = function_at(vote_of<WarpFunction::function, std::uint64_t>); \
  table["histolab_" symbol "_f32"] = function_at(vote_of<WarpFunction::function, float>);         \
  table["histolab_" symbol "_f64"] = function_at(vote_of<WarpFunction::function, double>);
#define VOTE(symbol, function) \
  table["histolab_" symbol] = function_at(vote_of<WarpFunction::function, std::uint32_t>);
  SHUFFLE("shfl", shuffle)
  SHUFFLE("shfl_up", shuffle_up)
  SHUFFLE("shfl_down", shuffle_down)
  SHUFFLE("shfl_xor", shuffle_xor)
  MATCH("match_any", match_any)
  MATCH("match_all", match_all)
  VOTE("ballot", ballot)
  VOTE("any", any)
  VOTE("all", all)
  VOTE("reduce_add", add)
  VOTE("reduce_min_i32", min_signed)
  VOTE("reduce_min_u32", min_unsigned)
  VOTE("reduce_max_i32", max_signed)
  VOTE("reduce_max_u32", max_unsigned)
  VOTE("reduce_and", bit_and)
  VOTE("reduce_or", bit_or)
  VOTE("reduce_xor", bit_xor)
#undef VOTE
#undef MATCH
#undef SHUFFLE
  table["histolab_activemask"] = function_at(active_mask);
  table["histolab_syncwarp"] = function_at(syncwarp);
}

}  // namespace histolab::kernels::emulator
