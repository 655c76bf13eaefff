#include "kernels/worker/testing/conformance_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <type_traits>

namespace histolab::kernels::testing {
namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;
using u32 = std::uint32_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

u64 join(u32 high, u32 low) { return u64{high} << 32 | low; }
i64 as_signed(u32 x) { return static_cast<std::int32_t>(x); }

class Writer {
 public:
  template <class... T>
  void word(T... values) {
    (words.push_back(static_cast<u32>(values)), ...);
  }
  template <class... T>
  void pair(T... values) {
    (word(u64{values}, u64{values} >> 32), ...);
  }
  template <class... T>
  void value(T... values) {
    (one_value(values), ...);
  }
  Words words;

 private:
  template <class T>
  void one_value(T x) {
    if constexpr (std::is_same_v<T, float>)
      word(std::isnan(x) ? 0x7fc00000u : std::bit_cast<u32>(x));
    else if constexpr (std::is_same_v<T, double>)
      pair(std::isnan(x) ? 0x7ff8000000000000ull : std::bit_cast<u64>(x));
    else if constexpr (sizeof(T) == 8)
      pair(static_cast<u64>(x));
    else
      word(static_cast<i64>(x));
  }
};

bool bit(u64 x, int i) { return (x >> i & 1) != 0; }
int count_bits(u64 x) {
  int n = 0;
  for (int i = 0; i < 64; ++i) n += bit(x, i);
  return n;
}
int lowest(u64 x) {
  for (int i = 0; i < 64; ++i)
    if (bit(x, i)) return i + 1;
  return 0;
}
int leading(u64 x, int width) {
  int n = 0;
  while (n < width && !bit(x, width - 1 - n)) ++n;
  return n;
}
u64 reversed(u64 x, int width) {
  u64 r = 0;
  for (int i = 0; i < width; ++i) r |= u64{bit(x, i)} << (width - 1 - i);
  return r;
}
i64 part(u32 x, int bits, int i, bool is_signed) {
  const i64 value = static_cast<i64>(x >> (bits * i) & ((u64{1} << bits) - 1));
  return is_signed && value >= i64{1} << (bits - 1) ? value - (i64{1} << bits) : value;
}
u32 permuted(u32 a, u32 b, u32 s) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const int selector = static_cast<int>(s >> (4 * i) & 7);
    r |= static_cast<u32>(part(selector < 4 ? a : b, 8, selector % 4, false)) << (8 * i);
  }
  return r;
}
i64 nth_set(u32 mask, u32 base, i64 offset) {
  if (offset == 0) return bit(mask, static_cast<int>(base)) ? base : 0xffffffff;
  std::vector<i64> set;
  for (int i = 0; i < 32; ++i)
    if (bit(mask, i) && (offset > 0 ? i >= static_cast<int>(base) : i <= static_cast<int>(base)))
      set.push_back(i);
  if (offset < 0) std::reverse(set.begin(), set.end());
  const auto wanted = static_cast<std::size_t>(std::abs(offset)) - 1;
  return wanted < set.size() ? set[wanted] : 0xffffffff;
}
i64 half_down(i64 sum) { return static_cast<i64>(std::floor(static_cast<long double>(sum) / 2)); }

u32 of_parts(u32 a, u32 b, int bits, bool is_signed, i64 (*f)(i64, i64, i64, i64)) {
  const i64 low = is_signed ? -(i64{1} << (bits - 1)) : 0,
            high = (i64{1} << (is_signed ? bits - 1 : bits)) - 1;
  u32 r = 0;
  for (int i = 0; i < 32 / bits; ++i)
    r |= static_cast<u32>(f(part(a, bits, i, is_signed), part(b, bits, i, is_signed), low, high) &
                          ((i64{1} << bits) - 1))
         << (bits * i);
  return r;
}
u32 of_halves(u32 a, u32 b, bool is_signed, bool smaller) {
  return smaller
             ? of_parts(a, b, 16, is_signed, [](i64 x, i64 y, i64, i64) { return std::min(x, y); })
             : of_parts(a, b, 16, is_signed, [](i64 x, i64 y, i64, i64) { return std::max(x, y); });
}

}  // namespace

namespace {

std::string text_of(const char* name) {
  std::ifstream file(std::string(HISTOLAB_SOURCE_DIR "/kernels/cuda/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string conformance_source(const std::string& kernel) {
  const std::string head = "__global__ void " + kernel + "(",
                    include = "#include \"kernels/cuda/conformance.cuh\"";
  for (const char* file : {"conformance.cu", "conformance_half.cu"}) {
    std::string text = text_of(file);
    const std::size_t at = text.find(head), common = text.find(include);
    if (at == std::string::npos || common == std::string::npos) continue;
    text.replace(at, head.size(), "__global__ void k(");
    return text.replace(common, include.size(), text_of("conformance.cuh"));
  }
  return {};
}

Words conformance_operands() {
  Words all = {0, 1, 2, 3, 7, 8, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
               0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x80808080,
               0x7f7f7f7f, 0x81818181, 0x00ff00ff, 0xff00ff00, 0x80007fff, 0x7fff8000, 0x80008000,
               0x00010001, 0xffff0001, 0x01020304, 0xfffefdfc, 0x55555555, 0xaaaaaaaa, 0x76543210,
               0x0123ba98,
               // Floating point: halves, the ends of int and long long, subnormal, infinite, NaN.
               0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0xbf000000,
               0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff,
               0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x00800000,
               0x007fffff, 0x00000001, 0x807fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
               0x41e00000, 0x43e00000, 0xc3e00000, 0x3ff00000, 0x7ff00000, 0x7ff80000, 0x41efffff,
               0x43f00000};
  std::uint64_t state = 1;
  while (all.size() < 256) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;  // Knuth's, as in MMIX.
    all.push_back(static_cast<u32>(state >> 32));
  }
  return all;
}

Words model_of_integers(u32 a, u32 b, u32 c) {
  Writer w;
  const u64 ab = join(a, b), bc = join(b, c), ba = join(b, a);
  w.word(count_bits(a), count_bits(ab), lowest(a), lowest(ab));
  w.word(leading(a, 32), leading(ab, 64), static_cast<i64>(reversed(a, 32)));
  w.pair(reversed(ab, 64));
  w.word(permuted(a, b, c));
  const auto left = [&](u32 s) {
    return s >= 32 ? a : static_cast<u32>((s == 0 ? ba : ba << s | 0) >> 32);
  };
  const auto right = [&](u32 s) { return s >= 32 ? b : static_cast<u32>(ba >> s); };
  w.word(left(c % 32), right(c % 32), left(c), right(c), left(c % 40), right(c % 40));
  const auto low24 = [](u32 x) { return static_cast<i64>(x % (1 << 24)); };
  const auto signed24 = [&](u32 x) {
    return low24(x) >= 1 << 23 ? low24(x) - (1 << 24) : low24(x);
  };
  w.word(signed24(a) * signed24(b), low24(a) * low24(b));
  w.word(as_signed(a) * as_signed(b) >> 32, static_cast<i64>(u64{a} * b >> 32));
  w.pair(static_cast<u64>(static_cast<i128>(static_cast<i64>(ab)) * static_cast<i64>(bc) >> 64));
  w.pair(static_cast<u64>(static_cast<u128>(ab) * bc >> 64));
  w.word(std::abs(as_signed(a) - as_signed(b)) + c, std::abs(i64{a} - i64{b}) + c);
  w.word(half_down(as_signed(a) + as_signed(b)), half_down(as_signed(a) + as_signed(b) + 1));
  w.word(half_down(i64{a} + b), half_down(i64{a} + b + 1));
  const auto dot4 = [&](bool is_signed) {
    i64 sum = c;
    for (int i = 0; i < 4; ++i) sum += part(a, 8, i, is_signed) * part(b, 8, i, is_signed);
    return sum;
  };
  const auto dot2 = [&](bool is_signed, int from) {
    return c + part(a, 16, 0, is_signed) * part(b, 8, from, is_signed) +
           part(a, 16, 1, is_signed) * part(b, 8, from + 1, is_signed);
  };
  w.word(dot4(true), dot4(false), dot4(true), dot4(false));
  w.word(dot2(true, 0), dot2(false, 0), dot2(true, 2), dot2(false, 2), dot2(true, 0),
         dot2(false, 2));
  w.word(nth_set(a, b % 32, i64{c % 9} - 4), nth_set(a, b % 32, 0), nth_set(a, 0, i64{c % 32} + 1));
  const auto shl = [](u64 x, u32 distance, u32 bits) {
    return distance < bits ? x << distance : 0;
  };
  const auto shr = [](u64 x, u32 distance, u32 bits) {
    return distance < bits ? x >> distance : 0;
  };
  const auto sar = [](i64 x, u32 distance) { return x >> std::min(distance, 63u); };
  const u32 near = c % 70;
  w.word(static_cast<i64>(shl(a, b, 32)), static_cast<i64>(shr(a, b, 32)), sar(as_signed(a), b));
  w.word(static_cast<i64>(shl(a, near, 32)), static_cast<i64>(shr(a, near, 32)),
         sar(as_signed(a), near));
  w.pair(shl(ab, c, 64), shl(ab, near, 64), shr(ab, near, 64),
         static_cast<u64>(sar(static_cast<i64>(ab), near)));
  w.word(static_cast<i64>(shl(a, c, 32)), sar(as_signed(a), c));  // the low word of the distance.
  return w.words;
}

Words model_of_simd(u32 a, u32 b, u32) {
  Writer w;
  struct Function {
    bool is_signed;
    i64 (*f)(i64 x, i64 y, i64 low, i64 high);
  };
  const auto sum_of = [&](bool is_signed, int bits) {
    i64 sum = 0;
    for (int i = 0; i < 32 / bits; ++i)
      sum += std::abs(part(a, bits, i, is_signed) - part(b, bits, i, is_signed));
    return sum;
  };
  for (const Function& f :
       {Function{true, [](i64 x, i64, i64, i64) { return std::abs(x); }},
        {true, [](i64 x, i64, i64, i64 high) { return std::min(std::abs(x), high); }},
        {true, [](i64 x, i64, i64, i64) { return -x; }},
        {true, [](i64 x, i64, i64, i64 high) { return std::min(-x, high); }},
        {false, [](i64 x, i64 y, i64, i64) { return x + y; }},
        {true, [](i64 x, i64 y, i64 low, i64 high) { return std::clamp(x + y, low, high); }},
        {false, [](i64 x, i64 y, i64 low, i64 high) { return std::clamp(x + y, low, high); }},
        {false, [](i64 x, i64 y, i64, i64) { return x - y; }},
        {true, [](i64 x, i64 y, i64 low, i64 high) { return std::clamp(x - y, low, high); }},
        {false, [](i64 x, i64 y, i64 low, i64 high) { return std::clamp(x - y, low, high); }},
        {true, [](i64 x, i64 y, i64,
                  i64) { return static_cast<i64>(std::lround(static_cast<double>(x + y) / 2)); }},
        {false, [](i64 x, i64 y, i64, i64) { return half_down(x + y + 1); }},
        {false, [](i64 x, i64 y, i64, i64) { return half_down(x + y); }},
        {true, [](i64 x, i64 y, i64, i64) { return std::abs(x - y); }},
        {false, [](i64 x, i64 y, i64, i64) { return std::abs(x - y); }},
        {true, [](i64 x, i64 y, i64, i64) { return std::max(x, y); }},
        {false, [](i64 x, i64 y, i64, i64) { return std::max(x, y); }},
        {true, [](i64 x, i64 y, i64, i64) { return std::min(x, y); }},
        {false, [](i64 x, i64 y, i64, i64) { return std::min(x, y); }}})
    for (const int bits : {16, 8}) w.word(of_parts(a, b, bits, f.is_signed, f.f));
  for (const bool is_signed : {true, false})
    for (const int bits : {16, 8}) w.word(sum_of(is_signed, bits));
  for (const Function& f : {Function{false, [](i64 x, i64 y, i64, i64) { return i64{x == y}; }},
                            {false, [](i64 x, i64 y, i64, i64) { return i64{x != y}; }},
                            {true, [](i64 x, i64 y, i64, i64) { return i64{x >= y}; }},
                            {false, [](i64 x, i64 y, i64, i64) { return i64{x >= y}; }},
                            {true, [](i64 x, i64 y, i64, i64) { return i64{x > y}; }},
                            {false, [](i64 x, i64 y, i64, i64) { return i64{x > y}; }},
                            {true, [](i64 x, i64 y, i64, i64) { return i64{x <= y}; }},
                            {false, [](i64 x, i64 y, i64, i64) { return i64{x <= y}; }},
                            {true, [](i64 x, i64 y, i64, i64) { return i64{x < y}; }},
                            {false, [](i64 x, i64 y, i64, i64) { return i64{x < y}; }}}) {
    const u32 halves = of_parts(a, b, 16, f.is_signed, f.f),
              bytes = of_parts(a, b, 8, f.is_signed, f.f);
    w.word(i64{halves} * 0xffff, i64{bytes} * 0xff, halves, bytes);
  }
  return w.words;
}

Words model_of_dpx(u32 a, u32 b, u32 c) {
  Writer w;
  for (const bool smaller : {false, true}) {
    const auto pick = [&](i64 x, i64 y) { return smaller ? std::min(x, y) : std::max(x, y); };
    const auto half = [&](u32 x, u32 y, bool is_signed) {
      return of_halves(x, y, is_signed, smaller);
    };
    const auto positive = [](u32 x) { return of_halves(x, 0, true, false); };
    const i64 x = as_signed(a), y = as_signed(b), z = as_signed(c), sum = as_signed(a + b);
    const u32 sums = of_parts(a, b, 16, false, [](i64 p, i64 q, i64, i64) { return p + q; });
    w.word(std::max<i64>(pick(x, y), 0), pick(pick(x, y), z),
           std::max<i64>(pick(pick(x, y), z), 0));
    w.word(pick(pick(a, b), c), pick(sum, z), std::max<i64>(pick(sum, z), 0), pick(a + b, c));
    w.word(positive(half(a, b, true)), half(half(a, b, true), c, true),
           positive(half(half(a, b, true), c, true)));
    w.word(half(half(a, b, false), c, false), half(sums, c, true), positive(half(sums, c, true)),
           half(sums, c, false));
    const auto first = [&](i64 p, i64 q) { return i64{smaller ? p <= q : p >= q}; };
    w.word(pick(x, y), first(x, y), pick(a, b), first(a, b));
    for (const bool is_signed : {true, false}) {
      w.word(half(a, b, is_signed));
      for (const int i : {1, 0})
        w.word(first(part(a, 16, i, is_signed), part(b, 16, i, is_signed)));
    }
  }
  return w.words;
}

namespace {

template <class T>
T rounded(T x, int how) {  // rn, rz, ru, rd
  const T down = std::floor(x), up = std::ceil(x);
  if (how == 1) return x < 0 ? up : down;
  if (how == 2) return up;
  if (how == 3) return down;
  if (x - down != up - x) return x - down < up - x ? down : up;
  return std::fmod(down, T{2}) == 0 ? down : up;
}

template <class To, class From>
void whole(Writer& w, From x) {
  for (int how = 0; how < 4; ++how) {
    if (std::isnan(x)) {
      w.value(sizeof(To) == 4 && sizeof(From) == 4
                  ? To{0}
                  : static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1)));
      continue;
    }
    const auto y = static_cast<long double>(std::isinf(x) ? x : rounded(x, how));
    const auto low = static_cast<long double>(std::numeric_limits<To>::min()),
               high = static_cast<long double>(std::numeric_limits<To>::max());
    if (y <= low)
      w.value(std::numeric_limits<To>::min());
    else
      w.value(y >= high ? std::numeric_limits<To>::max() : static_cast<To>(y));
  }
}

// Writes the numbers of type To around x. A long double holds x exactly.
template <class To>
void nearby(Writer& w, long double x) {
  const auto nearest = static_cast<To>(x);
  To down = nearest, up = nearest;
  if (static_cast<long double>(nearest) > x)
    down = std::nextafter(nearest, -std::numeric_limits<To>::infinity());
  if (static_cast<long double>(nearest) < x)
    up = std::nextafter(nearest, std::numeric_limits<To>::infinity());
  w.value(nearest, x < 0 || (x == 0 && std::signbit(x)) ? up : down, up, down);
}

}  // namespace

Words model_of_conversions(u32 a, u32 b, u32) {
  Writer w;
  const auto x = std::bit_cast<float>(a);
  const auto xy = std::bit_cast<double>(join(a, b));
  whole<std::int32_t>(w, x);
  whole<u32>(w, x);
  whole<i64>(w, x);
  whole<u64>(w, x);
  whole<std::int32_t>(w, xy);
  whole<u32>(w, xy);
  whole<i64>(w, xy);
  whole<u64>(w, xy);
  nearby<float>(w, static_cast<long double>(xy));
  nearby<float>(w, static_cast<long double>(as_signed(a)));
  nearby<float>(w, static_cast<long double>(a));
  const u64 ab = join(a, b);
  nearby<float>(w, static_cast<long double>(static_cast<i64>(ab)));
  nearby<double>(w, static_cast<long double>(static_cast<i64>(ab)));
  nearby<float>(w, static_cast<long double>(ab));
  nearby<double>(w, static_cast<long double>(ab));
  w.value(static_cast<double>(as_signed(a)), static_cast<double>(a));
  w.value(a, b, xy, a, x, ab);
  w.value(std::isnan(x) || x <= 0 ? 0.0f : std::min(x, 1.0f));
  return w.words;
}

Words model_of_atomics(u32 a, u32 b, u32 c) {
  Writer w;
  const auto updated32 = [&](u32 before, i64 after) { w.word(before, after); };
  const auto updated64 = [&](u64 before, u64 after) { w.pair(before, after); };
  const u64 u = join(a, b), v = join(c, a);
  const auto s = [](u64 x) { return static_cast<i64>(x); };
  const i64 x = as_signed(a), y = as_signed(b);
  updated32(a, x + y);
  updated32(a, i64{a} + b);
  updated64(u, u + v);
  updated32(a, x - y);
  updated32(a, i64{a} - b);
  updated32(a, b);
  updated32(a, b);
  updated64(u, v);
  updated32(a, std::min(x, y));
  updated32(a, std::min(a, b));
  updated64(u, std::min(u, v));
  updated64(u, static_cast<u64>(std::min(s(u), s(v))));
  updated32(a, std::max(x, y));
  updated32(a, std::max(a, b));
  updated64(u, std::max(u, v));
  updated64(u, static_cast<u64>(std::max(s(u), s(v))));
  updated32(a, a >= b ? 0 : i64{a} + 1);
  updated32(a, a == 0 || a > b ? b : i64{a} - 1);
  updated32(b, 0);
  updated32(0, b);
  updated32(a, a & b);
  updated32(a, a | b);
  updated64(u, u ^ v);
  updated64(u, u & v);
  updated64(u, u | v);
  updated32(a, a ^ b);
  updated32(a, c);
  updated32(a, a == b ? c : a);
  updated64(u, v);
  updated64(u, u);
  updated32(a & 0xffff, b & 0xffff);
  updated32(a, x + y);
  updated32(a, std::max(a, b));
  updated64(u, v);
  return w.words;
}

Words model_of_float_atomics(u32 a, u32 b, u32 c) {
  Writer w;
  const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  const auto u = std::bit_cast<double>(join(a, b)), v = std::bit_cast<double>(join(b, c));
  for (const bool in_shared : {false, true}) {
    const auto flushed = [&](float f) {
      return !in_shared && std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f;
    };
    w.value(x, flushed(flushed(x) + flushed(y)));
    w.value(u, u + v);
    w.value(x, y);
  }
  return w.words;
}

namespace {

// Returns the lane that `lane` reads from, in segments of `width`. That is `lane` itself if the
// other lane is outside.
std::uint32_t shuffled_from(char how, int lane, int by, int width) {
  const int first = lane / width * width, last = first + width - 1;
  const int from = how == 'i'   ? first + by % width
                   : how == 'u' ? lane - by
                   : how == 'd' ? lane + by
                                : lane ^ by;
  const bool is_inside = how == 'u' ? from >= first : from <= last;
  return static_cast<std::uint32_t>(is_inside ? from : lane);
}

template <class F>
u32 lanes_where(u32 mask, F&& f) {
  u32 r = 0;
  for (u32 l = 0; l < 32; ++l) r |= (mask >> l & 1) != 0 && f(l) ? 1u << l : 0u;
  return r;
}

void reduced(Writer& w, u32 mask, const WarpOperands& of) {
  u64 sum_a = 0, sum_b = 0;
  u32 low = ~0u, high = 0, both = ~0u, any = 0, odd = 0;
  i64 low_b = std::numeric_limits<std::int32_t>::max(),
      high_b = std::numeric_limits<std::int32_t>::min();
  for (u32 l = 0; l < 32; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const u32 a = of.a[l];
    sum_a += a;
    sum_b += of.b[l];
    low = std::min(low, a);
    high = std::max(high, a);
    both &= a;
    any |= a;
    odd ^= a;
    low_b = std::min(low_b, as_signed(of.b[l]));
    high_b = std::max(high_b, as_signed(of.b[l]));
  }
  w.word(static_cast<i64>(sum_a), low, high, static_cast<i64>(sum_b), low_b, high_b, both, any,
         odd);
}

}  // namespace

Words model_of_warps(const WarpOperands& of, u32 lane) {
  Writer w;
  const int me = static_cast<int>(lane), c = static_cast<int>(of.c[lane] % 64);
  const auto a = [&](char how, int by, int width) {
    return of.a[shuffled_from(how, me, by, width)];
  };
  const auto ab = [&](u32 l) { return join(of.a[l], of.b[l]); };
  const auto from = [&](char how, int by, int width) {
    return ab(shuffled_from(how, me, by, width));
  };
  w.word(a('i', c, 32), a('i', c, 8));
  w.pair(from('i', 7, 16));
  w.word(a('u', 3, 32));
  w.pair(from('u', 5, 8));
  w.word(a('d', 3, 32));
  w.pair(from('d', 9, 16));
  w.word(a('x', 9, 32));
  w.pair(from('x', 9, 8));
  w.word(a('x', 6, 4), a('u', 0, 2));
  w.value(std::bit_cast<float>(a('x', 16, 32)), std::bit_cast<double>(from('d', 1, 32)));
  w.word(lanes_where(~0u, [&](u32 l) { return (of.a[l] & 2) != 0; }),
         lanes_where(~0u, [&](u32 l) { return of.a[l] == 7; }) != 0);
  w.word(lanes_where(~0u, [&](u32 l) { return of.c[l] == 7; }) == 0, 0xffffffff);
  w.word(lanes_where(~0u, [&](u32 l) { return of.a[l] % 3 == of.a[lane] % 3; }),
         lanes_where(~0u, [&](u32 l) { return ab(l) % 5 == ab(lane) % 5; }));
  w.word(0xffffffff, 1);
  const bool equal = lanes_where(~0u, [&](u32 l) { return of.a[l] == of.a[0]; }) == 0xffffffff;
  w.word(equal ? 0xffffffff : 0, equal);
  reduced(w, ~0u, of);
  constexpr u32 some = 0x3ffff800;
  if ((some >> lane & 1) != 0) {
    w.word(lanes_where(some, [&](u32 l) { return (of.b[l] & 1) != 0; }), of.a[12 + of.c[lane] % 9]);
    w.word(lanes_where(some, [&](u32 l) { return of.b[l] % 2 == of.b[lane] % 2; }));
    reduced(w, some, of);
  }
  return w.words;
}

}  // namespace histolab::kernels::testing
