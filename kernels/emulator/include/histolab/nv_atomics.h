// CUDA's built-in atomic functions, __nv_atomic_*: of 4 and 8 bytes, for every order and scope.
//
// Included only into programs, and into sources that contain `__nv_atomic` or `__NV_`
// (kernels/worker/compiling/compiler_command.cpp). For the definitions see the CUDA C++ Programming
// Guide, "Built-in Atomic Functions". Like <cuda/atomic>, but they must not declare the namespace
// cuda, and must be C++11.
#pragma once

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

/// Orders this thread's accesses to memory, as the threads of the scope see them.
static __forceinline__ void __nv_atomic_thread_fence(int order,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED) return;
  if (scope == __NV_THREAD_SCOPE_BLOCK) __threadfence_block();
  if (scope == __NV_THREAD_SCOPE_CLUSTER || scope == __NV_THREAD_SCOPE_DEVICE) __threadfence();
  if (scope == __NV_THREAD_SCOPE_SYSTEM) __threadfence_system();
}
static __forceinline__ void histolab_before_atomic(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
static __forceinline__ void histolab_behind_atomic(int order, int scope) {
  if (order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}

// The type for which CUDA has the function that does the same for a T: bits, numbers, numbers that
// can be compared.
template <class T, unsigned long bytes = sizeof(T), bool is_signed = (T(-1) < T(0))>
struct HistolabWord {
  static_assert(bytes == 4 || bytes == 8,
                "this version of the emulator does not have atomics of 1, 2 and 16 bytes yet");
  using Bits = unsigned int;
  using Number = T;
  using Ordered = T;
};
template <class T>
struct HistolabWord<T, 4, false> {
  using Bits = unsigned int;
  using Number = Bits;
  using Ordered = Bits;
};
template <class T>
struct HistolabWord<T, 4, true> {
  using Bits = unsigned int;
  using Number = Bits;
  using Ordered = int;
};
template <class T>
struct HistolabWord<T, 8, false> {
  using Bits = unsigned long long;
  using Number = Bits;
  using Ordered = Bits;
};
template <class T>
struct HistolabWord<T, 8, true> {
  using Bits = unsigned long long;
  using Number = Bits;
  using Ordered = long long;
};
template <>
struct HistolabWord<float, 4, true> {
  using Bits = unsigned int;
  using Number = float;
};
template <>
struct HistolabWord<double, 8, true> {
  using Bits = unsigned long long;
  using Number = double;
};
// A pointer or a structure has no numbers.
template <class T, unsigned long bytes = sizeof(T)>
struct HistolabBits {
  static_assert(bytes == 4 || bytes == 8,
                "this version of the emulator does not have atomics of 1, 2 and 16 bytes yet");
  using Type = unsigned int;
};
template <class T>
struct HistolabBits<T, 4> {
  using Type = unsigned int;
};
template <class T>
struct HistolabBits<T, 8> {
  using Type = unsigned long long;
};
template <class T>
struct HistolabPlain {
  using Type = T;
};  // an argument's type follows the pointer's
template <class T>
struct HistolabPlain<const T> {
  using Type = T;
};
template <class To, class From>
static __forceinline__ To histolab_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  union {
    From from;
    To to;
  } both = {from};
  return both.to;
}

#define HISTOLAB_T typename HistolabPlain<T>::Type
#define HISTOLAB_BITS typename HistolabBits<T>::Type
// Calls the form of an atomic function for the scope. Within the scope of one thread, operations
// are not atomic.
#define HISTOLAB_SCOPED(function, ...) \
  (scope == __NV_THREAD_SCOPE_BLOCK ? function##_block(__VA_ARGS__) : function(__VA_ARGS__))
#define HISTOLAB_PLAIN(result)             \
  if (scope == __NV_THREAD_SCOPE_THREAD) { \
    const T old = *address;                \
    *address = (T)(result);                \
    return old;                            \
  }

/// The value at the address.
template <class T>
static __forceinline__ HISTOLAB_T __nv_atomic_load_n(T* address, int order,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (scope == __NV_THREAD_SCOPE_THREAD) return *address;
  if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
  const HISTOLAB_BITS bits = *(const volatile HISTOLAB_BITS*)address;
  histolab_behind_atomic(order, scope);
  return histolab_bits<HISTOLAB_T>(bits);
}
/// Copies the value at the address to result.
template <class T>
static __forceinline__ void __nv_atomic_load(T* address, HISTOLAB_T* result, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order, scope);
}
/// Sets the value at the address; returns the old one.
template <class T>
static __forceinline__ T __nv_atomic_exchange_n(T* address, HISTOLAB_T value, int order,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  HISTOLAB_PLAIN(value)
  histolab_before_atomic(order, scope);
  const HISTOLAB_BITS old =
      HISTOLAB_SCOPED(atomicExch, (HISTOLAB_BITS*)address, histolab_bits<HISTOLAB_BITS>(value));
  histolab_behind_atomic(order, scope);
  return histolab_bits<T>(old);
}
/// Sets the value at the address to that at value; copies the old one to result.
template <class T>
static __forceinline__ void __nv_atomic_exchange(T* address, HISTOLAB_T* value, HISTOLAB_T* result,
                                                 int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
/// Sets the value at the address.
template <class T>
static __forceinline__ void __nv_atomic_store_n(T* address, HISTOLAB_T value, int order,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_exchange_n(address, value, order, scope);
}
/// Sets the value at the address to that at value.
template <class T>
static __forceinline__ void __nv_atomic_store(T* address, HISTOLAB_T* value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_exchange_n(address, *value, order, scope);
}
/// Sets the value at the address if it equals that at expected, and returns true. Otherwise copies
/// it to expected and returns false.
template <class T>
static __forceinline__ bool __nv_atomic_compare_exchange_n(T* address, HISTOLAB_T* expected,
                                                           HISTOLAB_T value, bool, int order, int,
                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const HISTOLAB_BITS compare = histolab_bits<HISTOLAB_BITS>(*expected);
  if (scope == __NV_THREAD_SCOPE_THREAD) {
    const T old = *address;
    const bool is_equal = histolab_bits<HISTOLAB_BITS>(old) == compare;
    if (is_equal)
      *address = value;
    else
      *expected = old;
    return is_equal;
  }
  histolab_before_atomic(order, scope);
  const HISTOLAB_BITS old = HISTOLAB_SCOPED(atomicCAS, (HISTOLAB_BITS*)address, compare,
                                            histolab_bits<HISTOLAB_BITS>(value));
  histolab_behind_atomic(order, scope);
  if (old != compare) *expected = histolab_bits<T>(old);
  return old == compare;
}
/// Like __nv_atomic_compare_exchange_n, with the address of the new value.
template <class T>
static __forceinline__ bool __nv_atomic_compare_exchange(T* address, HISTOLAB_T* expected,
                                                         HISTOLAB_T* value, bool weak, int order,
                                                         int failure,
                                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, order, failure, scope);
}

#define HISTOLAB_FETCH(name, function, As, argument, result)                                 \
  template <class T>                                                                         \
  static __forceinline__ T __nv_atomic_fetch_##name(T* address, HISTOLAB_T value, int order, \
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {  \
    HISTOLAB_PLAIN(result)                                                                   \
    using Word = typename HistolabWord<T>::As;                                               \
    histolab_before_atomic(order, scope);                                                    \
    const T old = (T)HISTOLAB_SCOPED(function, (Word*)address, (Word)(argument));            \
    histolab_behind_atomic(order, scope);                                                    \
    return old;                                                                              \
  }                                                                                          \
  template <class T>                                                                         \
  static __forceinline__ void __nv_atomic_##name(T* address, HISTOLAB_T value, int order,    \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {     \
    __nv_atomic_fetch_##name(address, value, order, scope);                                  \
  }
HISTOLAB_FETCH(add, atomicAdd, Number, value, old + value)
HISTOLAB_FETCH(sub, atomicAdd, Number, 0 - value, old - value)
HISTOLAB_FETCH(and, atomicAnd, Bits, value, old& value)
HISTOLAB_FETCH(or, atomicOr, Bits, value, old | value)
HISTOLAB_FETCH(xor, atomicXor, Bits, value, old ^ value)
HISTOLAB_FETCH(min, atomicMin, Ordered, value, value < old ? value : old)
HISTOLAB_FETCH(max, atomicMax, Ordered, value, value > old ? value : old)
#undef HISTOLAB_FETCH
#undef HISTOLAB_PLAIN
#undef HISTOLAB_SCOPED
#undef HISTOLAB_BITS
#undef HISTOLAB_T
