// Operators that g++ compiles differently from nvcc. The worker inserts marks for them into the
// text that it compiles (kernels/worker/compiling/device_operators.h). Students do not write them.
// See docs/emulator.md, "Operators".
#pragma once

// The marks:
//   a << b         ->  a << histolab_shift{} << b
//   a <<= b        ->  a <<= histolab_shift{} += b
//   h[d[i]] += b   ->  h[d[i]] ->* histolab_place{} += b
// Each mark has the precedence of its operator, so the operands stay in their positions. An access
// in an inlined function of a header gets the line of the call.

// In C++11 a constexpr function has only one statement.
#if __cplusplus >= 201402
#define HISTOLAB_CONSTEXPR constexpr
#else
#define HISTOLAB_CONSTEXPR
#endif

enum class histolab_shift {};
enum class histolab_place {};

// g++ evaluates the index of a compound assignment again for the store, unless it has side effects.
// A call counts as a side effect.
template <class T>
static __forceinline__ constexpr T& operator->*(T& place, histolab_place) noexcept {
  return place;
}

// Shifts as PTX defines them: the distance is an unsigned number of 32 bits, and a distance of the
// width or more shifts all bits out. If nvcc knows such a distance, it defines no result;
// -fsanitize=shift-exponent reports that. Neither function has a branch, since it would count
// as a branch of the kernel.
template <class T>
static __forceinline__ HISTOLAB_CONSTEXPR T histolab_shl(T value, unsigned int distance) noexcept {
  constexpr unsigned int bits = 8 * sizeof(T);
  if (__builtin_constant_p(distance) && distance >= bits) return value << distance;
  return (T)((value << (distance & (bits - 1))) & -(T)(distance < bits));
}
template <class T>
static __forceinline__ HISTOLAB_CONSTEXPR T histolab_shr(T value, unsigned int distance) noexcept {
  constexpr unsigned int bits = 8 * sizeof(T);
  if (__builtin_constant_p(distance) && distance >= bits) return value >> distance;
  if constexpr ((T)-1 < (T)0)
    return value >> ((distance | -(unsigned int)(distance >= bits)) & (bits - 1));
  else
    return (T)((value >> (distance & (bits - 1))) & -(T)(distance < bits));
}

// The type of the promoted left operand between the two halves of a shift. It is an enumeration,
// because with the worker's flags a class would stay in memory.
template <class T>
struct histolab_left;
template <class T>
T histolab_value() noexcept;
// `class D, HISTOLAB_DISTANCE(D)`: any type that can be an index.
#define HISTOLAB_DISTANCE(D) class = decltype(histolab_value<const char*>()[histolab_value<D>()])
#define HISTOLAB_SHIFTS(T, tag)                                                          \
  enum class histolab_left_##tag : T{};                                                  \
  template <>                                                                            \
  struct histolab_left<T> {                                                              \
    using type = histolab_left_##tag;                                                    \
  };                                                                                     \
  template <class D, HISTOLAB_DISTANCE(D)>                                               \
  [[nodiscard]] static __forceinline__ constexpr T operator<<(histolab_left_##tag value, \
                                                              D distance) noexcept {     \
    return histolab_shl((T)value, (unsigned int)+distance);                              \
  }                                                                                      \
  template <class D, HISTOLAB_DISTANCE(D)>                                               \
  [[nodiscard]] static __forceinline__ constexpr T operator>>(histolab_left_##tag value, \
                                                              D distance) noexcept {     \
    return histolab_shr((T)value, (unsigned int)+distance);                              \
  }
HISTOLAB_SHIFTS(int, i32)
HISTOLAB_SHIFTS(unsigned int, u32)
HISTOLAB_SHIFTS(long, l64)
HISTOLAB_SHIFTS(unsigned long, ul64)
HISTOLAB_SHIFTS(long long, i64)
HISTOLAB_SHIFTS(unsigned long long, u64)
#undef HISTOLAB_SHIFTS

// A class or an enumeration may have a shift of its own. Without an overload the marked text does
// not compile, and the worker compiles the original.
template <class T>
struct HistolabIsNumber {
  static constexpr bool value = !__is_class(T) && !__is_union(T) && !__is_enum(T);
};
template <class T, class = HISTOLAB_IF(HistolabIsNumber<T>::value, T)>
[[nodiscard]] static __forceinline__ constexpr
    typename histolab_left<decltype(+histolab_value<T>())>::type
    operator<<(T value, histolab_shift) noexcept {
  return (typename histolab_left<decltype(+value)>::type)value;
}
template <class T, class = HISTOLAB_IF(HistolabIsNumber<T>::value, T)>
[[nodiscard]] static __forceinline__ constexpr
    typename histolab_left<decltype(+histolab_value<T>())>::type
    operator>>(T value, histolab_shift) noexcept {
  return (typename histolab_left<decltype(+value)>::type)value;
}
// Makes the call ambiguous if the student's own template takes any right operand.
template <class T>
struct histolab_referred {
  using type = T;
};
template <class T>
struct histolab_referred<T&> {
  using type = T;
};
template <class T>
HISTOLAB_IF(!HistolabIsNumber<typename histolab_referred<T>::type>::value, void)
operator<<(T&&, histolab_shift) = delete;
template <class T>
HISTOLAB_IF(!HistolabIsNumber<typename histolab_referred<T>::type>::value, void)
operator>>(T&&, histolab_shift) = delete;

enum class histolab_shift_distance : unsigned int {};
template <class T, HISTOLAB_DISTANCE(T)>
static __forceinline__ constexpr histolab_shift_distance operator+=(histolab_shift,
                                                                    T distance) noexcept {
  return (histolab_shift_distance) + distance;
}
template <class T, class = HISTOLAB_IF(HistolabIsNumber<T>::value, T)>
static __forceinline__ HISTOLAB_CONSTEXPR T& operator<<=(
    T& value, histolab_shift_distance distance) noexcept {
  value = (T)histolab_shl(+value, (unsigned int)distance);
  return value;
}
template <class T, class = HISTOLAB_IF(HistolabIsNumber<T>::value, T)>
static __forceinline__ HISTOLAB_CONSTEXPR T& operator>>=(
    T& value, histolab_shift_distance distance) noexcept {
  value = (T)histolab_shr(+value, (unsigned int)distance);
  return value;
}
#undef HISTOLAB_DISTANCE
#undef HISTOLAB_CONSTEXPR
