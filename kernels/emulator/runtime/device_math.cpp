#include "kernels/emulator/runtime/device_math.h"

#include <fenv.h>
#include <math.h>

#include <bit>

#include "kernels/emulator/runtime/half_bits.h"
#include "kernels/emulator/runtime/runtime_table.h"

namespace histolab::kernels::emulator {
namespace {

// As in include/histolab/float_intrinsics.h.
enum Operation { add, subtract, multiply, divide, square_root, fused };

class Rounding {
 public:
  explicit Rounding(int rounding) {
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    fesetround(modes[rounding & 3]);
  }
  ~Rounding() { fesetround(FE_TONEAREST); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;
};

int bits_set(unsigned long x) { return std::popcount(x); }

// `volatile` keeps the compiler from computing before the rounding mode is set, or after it is
// reset.
template <class T>
T rounded(int operation, int rounding, T x, T y, T z) {
  const Rounding set(rounding);
  volatile T a = x, b = y, c = z, result = 0;
  switch (operation) {
    case add: result = a + b; break;
    case subtract: result = a - b; break;
    case multiply: result = a * b; break;
    case divide: result = a / b; break;
    case square_root:
      result = static_cast<T>(sizeof(T) == 4 ? ::sqrtf(static_cast<float>(a))
                                             : ::sqrt(static_cast<double>(a)));
      break;
    case fused:
      result = static_cast<T>(
          sizeof(T) == 4
              ? ::fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c))
              : ::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
      break;
  }
  return result;
}

template <class To, class From>
To converted(int rounding, From from) {
  const Rounding set(rounding);
  volatile From x = from;
  volatile To result = static_cast<To>(x);
  return result;
}

double rsqrt(double x) { return 1 / ::sqrt(x); }
float rsqrtf(float x) { return static_cast<float>(1 / ::sqrt(static_cast<double>(x))); }

unsigned short half_of(int rounding, double x) {
  return half_bits(x, static_cast<HalfRounding>(rounding & 3));
}
float value_of_half(unsigned short bits) { return half_value(bits); }

// The minimum or maximum as a GPU computes it. If one operand is NaN, the result is the other one.
// For zeros of both signs, fmin returns the negative one and fmax the positive one.
template <class T, bool smaller>
T one_of(T x, T y) {
  if (x != x) return y;
  if (y != y) return x;
  if (x == y) return (__builtin_signbit(x) != 0) == smaller ? x : y;
  return (x < y) == smaller ? x : y;
}

}  // namespace

std::vector<std::pair<std::string_view, const void*>> device_mathematics() {
  std::vector<std::pair<std::string_view, const void*>> all;
#define ADD1(name)                                                              \
  all.emplace_back(#name, address_of(static_cast<double (*)(double)>(::name))); \
  all.emplace_back(#name "f", address_of(static_cast<float (*)(float)>(::name##f)));
#define ADD2(name)                                                                      \
  all.emplace_back(#name, address_of(static_cast<double (*)(double, double)>(::name))); \
  all.emplace_back(#name "f", address_of(static_cast<float (*)(float, float)>(::name##f)));
  ADD1(floor)
  ADD1(ceil)
  ADD1(round)
  ADD1(trunc)
  ADD1(rint)
  ADD1(nearbyint)
  ADD1(fabs)
  ADD1(sqrt)
  ADD1(cbrt)
  ADD1(exp)
  ADD1(exp2)
  ADD1(exp10)
  ADD1(expm1)
  ADD1(log)
  ADD1(log2)
  ADD1(log10)
  ADD1(log1p)
  ADD1(sin)
  ADD1(cos)
  ADD1(tan)
  ADD1(asin)
  ADD1(acos)
  ADD1(atan)
  ADD1(sinh)
  ADD1(cosh)
  ADD1(tanh)
  ADD1(erf)
  ADD1(erfc)
  ADD2(fmod)
  ADD2(pow)
  ADD2(atan2)
  ADD2(hypot)
  ADD2(fdim)
  ADD2(copysign)
  ADD2(remainder)
#undef ADD2
#undef ADD1
  all.emplace_back("fma", address_of(static_cast<double (*)(double, double, double)>(::fma)));
  all.emplace_back("fmaf", address_of(static_cast<float (*)(float, float, float)>(::fmaf)));
  all.emplace_back("fmin", address_of(one_of<double, true>));
  all.emplace_back("fminf", address_of(one_of<float, true>));
  all.emplace_back("fmax", address_of(one_of<double, false>));
  all.emplace_back("fmaxf", address_of(one_of<float, false>));
  all.emplace_back("rsqrt", address_of(rsqrt));
  all.emplace_back("rsqrtf", address_of(rsqrtf));
  all.emplace_back("__popcountdi2",
                   address_of(bits_set));  // __builtin_popcount, as g++ compiles it
  all.emplace_back("histolab_rounded_f32", address_of(rounded<float>));
  all.emplace_back("histolab_rounded_f64", address_of(rounded<double>));
  all.emplace_back("histolab_f32_of_f64", address_of(converted<float, double>));
  all.emplace_back("histolab_f32_of_i64", address_of(converted<float, long long>));
  all.emplace_back("histolab_f32_of_u64", address_of(converted<float, unsigned long long>));
  all.emplace_back("histolab_f64_of_i64", address_of(converted<double, long long>));
  all.emplace_back("histolab_f64_of_u64", address_of(converted<double, unsigned long long>));
  all.emplace_back("histolab_f16_of_f64", address_of(half_of));
  all.emplace_back("histolab_f32_of_f16", address_of(value_of_half));
  all.emplace_back("histolab_f64_of_f16_fma", address_of(half_fma));
  return all;
}

}  // namespace histolab::kernels::emulator
