// The operators of <cooperative_groups/reduce.h> and <cooperative_groups/scan.h>.
#pragma once

namespace cooperative_groups {

template <class T>
struct plus {
  __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};  // the smaller one
template <class T>
struct greater {
  __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __forceinline__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __forceinline__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __forceinline__ T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups
