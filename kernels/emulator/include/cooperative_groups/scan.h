// <cooperative_groups/scan.h> for the emulator: scans over tiles and coalesced groups, in the order
// of the ranks.
#pragma once

#include "../cooperative_groups.h"
#include "../histolab/group_operators.h"

namespace cooperative_groups {

namespace details {
template <class Group>
inline constexpr bool can_scan = false;
template <unsigned int Size, class Parent>
inline constexpr bool can_scan<thread_block_tile<Size, Parent>> = true;
template <>
inline constexpr bool can_scan<coalesced_group> = true;
}  // namespace details

/// The values of the threads up to and including this one, combined by op.
template <class Group, class T, class Op>
static __forceinline__ T inclusive_scan(const Group& group, T value, Op op) {
  static_assert(details::can_scan<Group>,
                "CUDA has scans for tiles and coalesced groups only. Make a tile with "
                "tiled_partition<32>(block)");
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance)
      value = op(value, before);  // the order of arguments is as in CUDA's header
  }
  return value;
}
/// The sum of the values of the threads up to and including this one.
template <class Group, class T>
static __forceinline__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// The values of the threads before this one, combined by op. The thread of rank 0 gets T{}.
template <class Group, class T, class Op>
static __forceinline__ T exclusive_scan(const Group& group, T value, Op op) {
  const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
/// The sum of the values of the threads before this one; 0 for the thread of rank 0.
template <class Group, class T>
static __forceinline__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
