// The runtime's atomic operations.
//
// Each is one step: no other lane runs between its read and its write.
#include <cfloat>
#include <cstring>
#include <deque>
#include <string>

#include "kernels/emulator/runtime/half_bits.h"
#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {
namespace device {

template <class T, class F>
[[gnu::always_inline]] inline T apply(T* address, F&& next) {
  T old;
  std::memcpy(&old, address, sizeof old);  // a misaligned address is a finding, not a crash
  const T value = next(old);
  std::memcpy(address, &value, sizeof value);
  return old;
}

// Also handles the rare cases: Current::slow, wild addresses, full logs.
template <class T, class F>
[[gnu::noinline]] T update_slowly(T* address, const void* return_address, F next) {
  if (skips(reinterpret_cast<std::uint64_t>(address))) return apply(address, next);
  if (current.slow)
    yield_before(true, reinterpret_cast<std::uint64_t>(address), true, return_address);
  record(reinterpret_cast<std::uint64_t>(address), return_address);
  if (is_in_stacks(reinterpret_cast<std::uint64_t>(address))) return T{};  // reported when judged
  if (current.shows) {
    T old;
    std::memcpy(&old, address, sizeof old);
    const T value = next(old);
    show(reinterpret_cast<std::uint64_t>(address), return_address,
         std::memcmp(&old, &value, sizeof old) != 0);
  }
  return apply(address, next);
}

// update_slowly handles the last row of a log, because it can pause after it.
template <class T, class F>
[[gnu::always_inline]] inline T update(T* address, const void* return_address, F next) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if (current.slow) [[unlikely]]
    return update_slowly(address, return_address, next);
  if (current.stepping) {
    Lanes::suspend();
    current.wrote = true;
  }
  if (is_stray(a) || WarpLog::full(next_record + WarpLog::lanes)) [[unlikely]]
    return update_slowly(address, return_address, next);
  record_has_room(a, return_address);
  return apply(address, next);
}

#define ATOMIC(name, T, expression)                                             \
  RETURNS_BY_JUMP [[gnu::noinline]] T name(T* address, T value) {               \
    return update(address, RETURN_ADDRESS,                                      \
                  [value]([[maybe_unused]] T old) -> T { return expression; }); \
  }
// Signed overflow wraps on the device.
#define ATOMIC_ARITHMETIC(tag, T, U)                                                \
  ATOMIC(add_##tag, T, static_cast<T>(static_cast<U>(old) + static_cast<U>(value))) \
  ATOMIC(sub_##tag, T, static_cast<T>(static_cast<U>(old) - static_cast<U>(value))) \
  ATOMIC(exch_##tag, T, value)                                                      \
  ATOMIC(min_##tag, T, old < value ? old : value)                                   \
  ATOMIC(max_##tag, T, old > value ? old : value)                                   \
  ATOMIC(and_##tag, T, (old & value))                                               \
  ATOMIC(or_##tag, T, old | value)                                                  \
  ATOMIC(xor_##tag, T, old ^ value)                                                 \
  [[gnu::noinline]] T cas_##tag(T* address, T compare, T value) {                   \
    return update(address, RETURN_ADDRESS,                                          \
                  [=](T old) -> T { return old == compare ? value : old; });        \
  }
ATOMIC_ARITHMETIC(i32, int, unsigned)
ATOMIC_ARITHMETIC(u32, unsigned, unsigned)
ATOMIC_ARITHMETIC(u64, unsigned long long, unsigned long long)
ATOMIC_ARITHMETIC(i64, long long, unsigned long long)
// Atomic single-precision additions in global memory flush subnormal operands and results to zero.
float flushed(float x) { return x > -FLT_MIN && x < FLT_MIN ? __builtin_copysignf(0, x) : x; }
[[gnu::noinline]] float add_f32(float* address, float value) {
  if (is_in_shared(address))
    return update(address, RETURN_ADDRESS, [value](float old) { return old + value; });
  return update(address, RETURN_ADDRESS,
                [value](float old) { return flushed(flushed(old) + flushed(value)); });
}
ATOMIC(add_f64, double, old + value)
ATOMIC(exch_f32, float, value)
// Halves and pairs of halves, passed as bits.
unsigned short half_sum(unsigned short a, unsigned short b) {
  return half_bits(double{half_value(a)} + double{half_value(b)});
}
ATOMIC(add_f16, unsigned short, half_sum(old, value))
ATOMIC(add_f16x2, unsigned,
       half_sum(static_cast<unsigned short>(old), static_cast<unsigned short>(value)) |
           static_cast<unsigned>(half_sum(static_cast<unsigned short>(old >> 16),
                                          static_cast<unsigned short>(value >> 16)))
               << 16)
ATOMIC(inc_u32, unsigned, old >= value ? 0u : old + 1u)
ATOMIC(dec_u32, unsigned, old == 0 || old > value ? value : old - 1u)
[[gnu::noinline]] unsigned short cas_u16(unsigned short* address, unsigned short compare,
                                         unsigned short value) {
  return update(address, RETURN_ADDRESS,
                [=](unsigned short old) { return old == compare ? value : old; });
}
#undef ATOMIC_ARITHMETIC
#undef ATOMIC

}  // namespace device

void add_atomics(RuntimeTable& table) {
  // "histolab_atomicAdd_u32" -> "histolab_atomicAdd_block_u32"
  static std::deque<std::string> names;
  const auto add_block_scope = [&table](std::string_view symbol) {
    const std::size_t tag = symbol.rfind('_');
    const std::string& name = names.emplace_back(std::string(symbol.substr(0, tag)) + "_block" +
                                                 std::string(symbol.substr(tag)));
    table[name] = table[symbol];
    table[name].scope = Scope::block;
  };
  const auto add = [&]<class T>(std::string_view symbol, T (*function)(T*, T)) {
    const bool exchange = symbol.starts_with("histolab_atomicExch");
    table[symbol] = {address_of(function), exchange ? AccessKind::exchange : AccessKind::atomic,
                     sizeof(T)};
    add_block_scope(symbol);
  };
  const auto add_cas = [&]<class T>(std::string_view symbol, T (*function)(T*, T, T)) {
    table[symbol] = {address_of(function), AccessKind::compare_and_swap, sizeof(T)};
    add_block_scope(symbol);
  };
  using namespace device;
#define ADD(Name, name, tag) add("histolab_atomic" #Name "_" #tag, name##_##tag);
#define ADD_32_64(Name, name) \
  ADD(Name, name, i32)        \
  ADD(Name, name, u32)        \
  ADD(Name, name, u64)
  ADD_32_64(Add, add)
  ADD_32_64(Exch, exch)
  ADD_32_64(Min, min)
  ADD_32_64(Max, max)
  ADD_32_64(And, and)
  ADD_32_64(Or, or)
  ADD_32_64(Xor, xor)
  ADD(Sub, sub, i32)
  ADD(Sub, sub, u32)
  ADD(Min, min, i64)
  ADD(Max, max, i64)
  ADD(Add, add, f16)
  ADD(Add, add, f16x2)
  ADD(Add, add, f32)
  ADD(Add, add, f64)
  ADD(Exch, exch, f32)
  ADD(Inc, inc, u32)
  ADD(Dec, dec, u32)
#undef ADD_32_64
#undef ADD
  add_cas("histolab_atomicCAS_u16", cas_u16);
  add_cas("histolab_atomicCAS_i32", cas_i32);
  add_cas("histolab_atomicCAS_u32", cas_u32);
  add_cas("histolab_atomicCAS_u64", cas_u64);
}

}  // namespace histolab::kernels::emulator
