// A model of 16-bit floating-point numbers by their definition: a table of all of them, exact
// integer arithmetic, and a search in the table for the rounded result.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/worker/testing/conformance_model.h"

namespace histolab::kernels::testing {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
__extension__ using i128 = __int128;

constexpr u16 infinity = 0x7c00, not_a_number = 0x7fff, sign_bit = 0x8000;

bool is_nan(u16 h) { return (h & 0x7fff) > infinity; }
bool is_infinite(u16 h) { return (h & 0x7fff) == infinity; }
bool is_negative(u16 h) { return (h & sign_bit) != 0; }

// The magnitudes of all finite numbers in units of 2^-24, by their bits. The last entry is
// infinity: the next power of two.
const std::array<i64, infinity + 1>& magnitudes() {
  static const auto all = [] {
    std::array<i64, infinity + 1> table{};
    for (int bits = 0; bits <= infinity; ++bits) {
      const int exponent = bits >> 10, fraction = bits & 1023;
      table[static_cast<std::size_t>(bits)] =
          exponent == 0 ? fraction : i64{1024 + fraction} << (exponent - 1);
    }
    return table;
  }();
  return all;
}
// Returns the value of a finite number in units of 2^-24.
i64 units(u16 h) { return (is_negative(h) ? -1 : 1) * magnitudes()[h & 0x7fff]; }
double value(u16 h) {
  if (is_nan(h)) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = is_infinite(h) ? std::numeric_limits<double>::infinity()
                                          : static_cast<double>(magnitudes()[h & 0x7fff]) * 0x1p-24;
  return is_negative(h) ? -magnitude : magnitude;
}

enum class Towards { nearest, zero, up, down };

// Rounds an exact result. `compared(m)` compares its magnitude with m * 2^-25: it returns -1, 0
// or 1.
template <class Compared>
u16 rounded(bool negative, Towards towards, Compared compared) {
  const auto& table = magnitudes();
  // The last finite number that is not larger.
  int below = 0;
  for (int step = 1 << 14; step > 0; step /= 2)
    if (below + step < infinity &&
        compared(2 * i128{table[static_cast<std::size_t>(below + step)]}) >= 0)
      below += step;
  const i128 lower = table[static_cast<std::size_t>(below)],
             upper = table[static_cast<std::size_t>(below) + 1];
  const bool exact = compared(2 * lower) == 0;
  const int middle = compared(lower + upper);
  bool away = towards == Towards::nearest
                  ? middle > 0 || (middle == 0 && below % 2 == 1)
                  : !exact && towards == (negative ? Towards::down : Towards::up);
  if (exact) away = false;
  return static_cast<u16>((negative ? sign_bit : 0) | (below + away));
}
int sign_of(i128 x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

u16 half_of(double x, Towards towards = Towards::nearest) {
  if (std::isnan(x)) return not_a_number;
  const bool negative = std::signbit(x);
  if (std::isinf(x)) return static_cast<u16>((negative ? sign_bit : 0) | infinity);
  const double magnitude = std::fabs(x);
  return rounded(negative, towards, [&](i128 m) {
    const double other = static_cast<double>(m) * 0x1p-25;  // exact: at most 42 bits
    return magnitude > other ? 1 : magnitude < other ? -1 : 0;
  });
}
u16 half_of_whole(i128 x, Towards towards = Towards::nearest) {
  return rounded(x < 0, towards, [&](i128 m) { return sign_of(((x < 0 ? -x : x) << 25) - m); });
}
// x * 2^-48.
u16 half_of_units(i128 x, bool negative_zero, Towards towards = Towards::nearest) {
  return rounded(x < 0 || (x == 0 && negative_zero), towards,
                 [&](i128 m) { return sign_of((x < 0 ? -x : x) - (m << 23)); });
}

// a * b + c. Double precision decides whether the result is finite, and the sign of a zero.
u16 fused(u16 a, u16 b, u16 c) {
  const double special = value(a) * value(b) + value(c);
  if (std::isnan(special)) return not_a_number;
  if (is_infinite(a) || is_infinite(b) || is_infinite(c)) return half_of(special);
  const i128 product = i128{units(a)} * units(b);
  return half_of_units(product + (i128{units(c)} << 24), std::signbit(special));
}
constexpr u16 one = 0x3c00, minus_zero = 0x8000;
u16 negated(u16 a) { return a ^ sign_bit; }
u16 sum(u16 a, u16 b) { return fused(a, one, b); }
u16 difference(u16 a, u16 b) { return fused(a, one, negated(b)); }
u16 product(u16 a, u16 b) { return fused(a, b, is_negative(a) != is_negative(b) ? minus_zero : 0); }
u16 saturated(u16 h) { return is_nan(h) || is_negative(h) ? 0 : std::min(h, one); }
u16 without_negatives(u16 h) { return is_nan(h) ? not_a_number : is_negative(h) ? u16{0} : h; }
u16 larger(u16 a, u16 b, bool of_numbers) {
  if (is_nan(a) || is_nan(b))
    return of_numbers && is_nan(a) && !is_nan(b) ? b : of_numbers && !is_nan(a) ? a : not_a_number;
  if (value(a) == value(b)) return is_negative(a) ? b : a;
  return value(a) > value(b) ? a : b;
}
u16 smaller(u16 a, u16 b, bool of_numbers) {
  if (is_nan(a) || is_nan(b)) return larger(a, b, of_numbers);
  return negated(larger(negated(a), negated(b), of_numbers));
}
u16 root(u16 a) {
  if (is_nan(a) || (is_negative(a) && a != minus_zero)) return not_a_number;
  if (is_infinite(a) || a == minus_zero) return a;
  const i128 square = i128{units(a)} << 26;  // in units of 2^-50
  return rounded(false, Towards::nearest, [&](i128 m) { return sign_of(square - m * m); });
}

// Saturates a value that is already rounded.
template <class T>
i64 whole(double x) {
  if (std::isnan(x)) return sizeof(T) == 8 ? std::numeric_limits<i64>::min() : 0;
  const auto low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  if (x >= static_cast<double>(high)) return static_cast<i64>(high);
  return x <= static_cast<double>(low) ? static_cast<i64>(low) : static_cast<i64>(x);
}

u16 part(u32 x, int i) { return static_cast<u16>(x >> (16 * i)); }
u32 shown(u16 h) { return is_nan(h) ? not_a_number : h; }
u32 shown(float x) { return std::isnan(x) ? 0x7fc00000u : std::bit_cast<u32>(x); }

class Writer {
 public:
  template <class... T>
  void half(T... values) {
    (words.push_back(shown(static_cast<u16>(values))), ...);
  }
  template <class... F>
  void pair(F... of_part) {
    (half(of_part(0), of_part(1)), ...);
  }
  template <class... T>
  void word(T... values) {
    (words.push_back(values), ...);
  }
  Words words;
};

// eq, ne, le, ge, lt, gt; then the unordered forms, which are true if one operand is NaN.
bool compares(int which, u16 a, u16 b) {
  const double x = value(a), y = value(b);
  if (is_nan(a) || is_nan(b)) return which >= 6;
  const std::array<bool, 6> all = {x == y, x != y, x <= y, x >= y, x<y, x> y};
  return all[static_cast<std::size_t>(which % 6)];
}

}  // namespace

Words model_of_half_arithmetic(u32 a, u32 b, u32 c) {
  Writer w;
  const u16 x = part(a, 0), y = part(b, 0), z = part(c, 0);
  const auto p = [&](int i) { return part(a, i); };
  const auto q = [&](int i) { return part(b, i); };
  const auto r = [&](int i) { return part(c, i); };
  for (int again = 0; again < 2; ++again) w.half(sum(x, y), difference(x, y), product(x, y));
  w.half(fused(x, y, z));
  w.half(saturated(sum(x, y)), saturated(difference(x, y)), saturated(product(x, y)),
         saturated(fused(x, y, z)));
  w.half(without_negatives(fused(x, y, z)));
  w.half(larger(x, y, true), smaller(x, y, true), larger(x, y, false), smaller(x, y, false));
  w.half(negated(x), x & 0x7fff);
  w.pair([&](int i) { return sum(p(i), q(i)); }, [&](int i) { return difference(p(i), q(i)); },
         [&](int i) { return product(p(i), q(i)); });
  w.pair([&](int i) { return saturated(sum(p(i), q(i))); },
         [&](int i) { return saturated(difference(p(i), q(i))); });
  w.pair([&](int i) { return saturated(product(p(i), q(i))); });
  w.pair([&](int i) { return fused(p(i), q(i), r(i)); },
         [&](int i) { return saturated(fused(p(i), q(i), r(i))); });
  w.pair([&](int i) { return without_negatives(fused(p(i), q(i), r(i))); });
  w.pair([&](int i) { return larger(p(i), q(i), true); },
         [&](int i) { return smaller(p(i), q(i), true); });
  w.pair([&](int i) { return larger(p(i), q(i), false); },
         [&](int i) { return smaller(p(i), q(i), false); });
  w.pair([&](int i) { return negated(p(i)); },
         [&](int i) { return static_cast<u16>(p(i) & 0x7fff); });
  w.half(fused(negated(p(1)), q(1), fused(p(0), q(0), r(0))),
         fused(p(1), q(0), fused(p(0), q(1), r(1))));
  u32 bits = 0;
  for (int which = 0; which < 12; ++which) bits |= static_cast<u32>(compares(which, x, y)) << which;
  w.word(bits);
  for (int which = 0; which < 12; ++which) {
    const bool first = compares(which, p(0), q(0)), second = compares(which, p(1), q(1));
    w.half(first ? one : 0, second ? one : 0);
    w.word((first ? 0xffffu : 0u) | (second ? 0xffff0000u : 0u), first && second);
  }
  constexpr std::array operators = {0, 7, 4, 5, 2, 3};  // ==, !=, <, >, <=, >=
  u32 of_one = 0, of_pair = 0;
  for (u32 i = 0; i < 6; ++i) {
    of_one |= static_cast<u32>(compares(operators[i], x, y)) << i;
    of_pair |=
        static_cast<u32>(compares(operators[i], p(0), q(0)) && compares(operators[i], p(1), q(1)))
        << i;
  }
  w.word(of_one, of_pair);
  return w.words;
}

Words model_of_half_conversions(u32 a, u32 b, u32) {
  Writer w;
  const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  const std::uint64_t ab = std::uint64_t{a} << 32 | b;
  constexpr std::array all = {Towards::nearest, Towards::zero, Towards::up, Towards::down};
  w.half(half_of(x), half_of(std::bit_cast<double>(ab)));
  for (const Towards each : all) w.half(half_of(x, each));
  for (const i128 number :
       {i128{static_cast<std::int16_t>(a)}, i128{static_cast<u16>(a)},
        i128{static_cast<std::int32_t>(a)}, i128{a}, i128{static_cast<i64>(ab)}, i128{ab}})
    for (const Towards each : all) w.half(half_of_whole(number, each));
  for (const float each : {x, y, y, x, x, x}) w.half(half_of(each));
  for (int again = 0; again < 2; ++again)
    for (int i = 0; i < 2; ++i) w.word(shown(static_cast<float>(value(part(a, i)))));
  const u16 a0 = part(a, 0), a1 = part(a, 1), b0 = part(b, 0), b1 = part(b, 1);
  for (const u16 each : {a0, a1, a0, a0, a1, a1, a0, b0, a1, b1, a1, a0, a0, a0, a1, b0})
    w.half(each);
  return w.words;
}

Words model_of_every_half(u32 thread) {
  Writer w;
  for (u32 k = 16 * thread; k < 16 * thread + 16; ++k) {
    const auto h = static_cast<u16>(k);
    const double x = value(h);
    const auto both = [](double low, double high) {
      return shown(half_of(low)) | shown(half_of(high)) << 16;
    };
    w.word(shown(static_cast<float>(x)), both(std::ceil(x), std::floor(x)),
           both(std::nearbyint(x), std::trunc(x)));
    const u32 infinite = is_infinite(h) ? (is_negative(h) ? 0 : 2) : 1;
    w.word(shown(root(h)) | static_cast<u32>(is_nan(h)) << 16 | infinite << 24);
    w.word(static_cast<u32>(whole<u16>(std::trunc(x))) |
           static_cast<u32>(static_cast<u16>(whole<std::int16_t>(std::ceil(x)))) << 16);
    w.word(static_cast<u32>(whole<i64>(std::floor(x))));
    w.word(static_cast<u32>(whole<std::int32_t>(std::nearbyint(x))),
           static_cast<u32>(whole<std::int32_t>(std::trunc(x))));
    w.word(static_cast<u32>(whole<std::int32_t>(std::ceil(x))),
           static_cast<u32>(whole<u32>(std::floor(x))));
  }
  return w.words;
}

Words model_of_half_atomics(u32 a, u32 b, u32) {
  Writer w;
  for (int again = 0; again < 2; ++again) {
    w.half(part(a, 0), sum(part(a, 0), part(b, 0)));
    w.pair([&](int i) { return part(a, i); }, [&](int i) { return sum(part(a, i), part(b, i)); });
  }
  return w.words;
}

}  // namespace histolab::kernels::testing
