// <cooperative_groups/reduce.h> for the emulator: reductions over tiles and coalesced groups; every thread gets the result.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus { __forceinline__ T operator()(T a, T b) const { return a + b; } };
template <class T>
struct less { __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; } };  // the smaller one
template <class T>
struct greater { __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T>
struct bit_and { __forceinline__ T operator()(T a, T b) const { return a & b; } };
template <class T>
struct bit_or { __forceinline__ T operator()(T a, T b) const { return a | b; } };
template <class T>
struct bit_xor { __forceinline__ T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int Size, class Parent, class T, class Op>
static __forceinline__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  for (unsigned int distance = Size / 2; distance > 0; distance /= 2) value = op(value, tile.shfl_xor(value, distance));
  return value;
}
template <class T, class Op>
static __forceinline__ T reduce(const coalesced_group& group, T value, Op op) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < group.size()) value = op(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups
