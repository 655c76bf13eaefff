// <cuda_fp16.h> for the emulator: __half (IEEE binary16), and __half2, a pair of them.
//
// Each result is computed exactly, or with more digits than the rounding needs, and then rounded
// once, as the CUDA Math API defines it. hexp, hsin and similar functions round exp, sin and so on:
// a GPU may differ in the last digit. A NaN result has the bits 0x7fff, as on a GPU.
#pragma once

#include "histolab/half_rounding.h"
#include "histolab/shared_objects.h"

struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

// ---- functions of the runtime (kernels/emulator/runtime/half_bits.h) ----
#ifdef HISTOLAB_HOST
#include "histolab/half_on_host.h"
#else
extern "C" {
unsigned short histolab_f16_of_f64(int rounding, double x) noexcept;
float histolab_f32_of_f16(unsigned short bits) noexcept;
double histolab_f64_of_f16_fma(float a, float b,
                               float c) noexcept;  // exact enough to be rounded to 16 bits
}
#endif

// Converts to a whole number and saturates. NaN becomes 0; in 64 bits it becomes the number with
// only the highest bit set.
template <class T>
static inline T histolab_half_whole(float x) {
  constexpr bool is_signed = (T)-1 < (T)0;
  constexpr T low = is_signed ? (T)(1ull << (8 * sizeof(T) - 1)) : (T)0, high = (T)~low;
  if (x != x) return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
  return (double)x >= (double)high ? high : (double)x <= (double)low ? low : (T)x;
}

// ---- the type ----
// The integer types that a half converts from and to.
#define HISTOLAB_HALF_WHOLE(DO) \
  DO(short)                     \
  DO(unsigned short)            \
  DO(int)                       \
  DO(unsigned int)              \
  DO(long)                      \
  DO(unsigned long)             \
  DO(long long)                 \
  DO(unsigned long long)

/// A floating-point number of 16 bits: a sign, 5 bits of exponent, 10 of fraction. The largest one
/// is 65504.
struct __attribute__((aligned(2))) __half {
 protected:
  unsigned short __x;

 public:
  __half() = default;
  constexpr __half(const __half_raw& raw) : __x(raw.x) {}
  constexpr operator __half_raw() const { return {__x}; }
  operator __half_raw() const volatile { return {__x}; }
  __half& operator=(const __half_raw& raw) {
    __x = raw.x;
    return *this;
  }
  volatile __half& operator=(const __half_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  volatile __half& operator=(const volatile __half_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __half(float x) : __x(histolab_f16_of_f64(HISTOLAB_HALF_RN, x)) {}
  __half(double x) : __x(histolab_f16_of_f64(HISTOLAB_HALF_RN, x)) {}
  operator float() const { return histolab_f32_of_f16(__x); }
#define HISTOLAB_HALF(T) \
  __half(T x) : __x(histolab_f16_of_f64(HISTOLAB_HALF_RN, (double)x)) {}
  HISTOLAB_HALF_WHOLE(HISTOLAB_HALF)
#undef HISTOLAB_HALF
#define HISTOLAB_HALF(T) \
  operator T() const { return histolab_half_whole<T>(histolab_f32_of_f16(__x)); }
  HISTOLAB_HALF_WHOLE(HISTOLAB_HALF)
  HISTOLAB_HALF(char)
  HISTOLAB_HALF(signed char)
  HISTOLAB_HALF(unsigned char)
#undef HISTOLAB_HALF
  constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
};
#undef HISTOLAB_HALF_WHOLE

/// Two numbers of type __half, x and y, aligned to 4 bytes.
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
  constexpr __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  constexpr operator __half2_raw() const { return {((__half_raw)x).x, ((__half_raw)y).x}; }
  __half2& operator=(const __half2_raw& raw) { return *this = __half2(raw); }
};

// ---- conversions ----
/// The half with these bits.
static __forceinline__ __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
/// The half with these bits.
static __forceinline__ __half __short_as_half(short bits) {
  return __half_raw{(unsigned short)bits};
}
/// The bits of a half.
static __forceinline__ unsigned short __half_as_ushort(__half x) { return ((__half_raw)x).x; }
/// The bits of a half.
static __forceinline__ short __half_as_short(__half x) { return (short)((__half_raw)x).x; }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

/// The value as a float, which is exact.
static __forceinline__ float __half2float(__half x) {
  return histolab_f32_of_f16(__half_as_ushort(x));
}
static __forceinline__ __half histolab_half(double x,
                                            HistolabHalfRounding rounding = HISTOLAB_HALF_RN) {
  return __ushort_as_half(histolab_f16_of_f64(rounding, x));
}
/// The nearest half; a tie goes to the one whose last bit is 0.
static __forceinline__ __half __float2half(float x) { return histolab_half(x); }
/// The nearest half; a tie goes to the one whose last bit is 0.
static __forceinline__ __half __double2half(double x) { return histolab_half(x); }
#define HISTOLAB_TO_HALF(name, From)                                                            \
  static __forceinline__ __half __##name##2half_rn(From x) { return histolab_half((double)x); } \
  static __forceinline__ __half __##name##2half_rz(From x) {                                    \
    return histolab_half((double)x, HISTOLAB_HALF_RZ);                                          \
  }                                                                                             \
  static __forceinline__ __half __##name##2half_ru(From x) {                                    \
    return histolab_half((double)x, HISTOLAB_HALF_RU);                                          \
  }                                                                                             \
  static __forceinline__ __half __##name##2half_rd(From x) {                                    \
    return histolab_half((double)x, HISTOLAB_HALF_RD);                                          \
  }
#define HISTOLAB_HALF_TO(name, To)                           \
  static __forceinline__ To __half2##name##_rn(__half x) {   \
    return histolab_half_whole<To>(rintf(__half2float(x)));  \
  }                                                          \
  static __forceinline__ To __half2##name##_rz(__half x) {   \
    return histolab_half_whole<To>(truncf(__half2float(x))); \
  }                                                          \
  static __forceinline__ To __half2##name##_ru(__half x) {   \
    return histolab_half_whole<To>(ceilf(__half2float(x)));  \
  }                                                          \
  static __forceinline__ To __half2##name##_rd(__half x) {   \
    return histolab_half_whole<To>(floorf(__half2float(x))); \
  }
#define HISTOLAB_HALF_AND(name, T) HISTOLAB_TO_HALF(name, T) HISTOLAB_HALF_TO(name, T)
HISTOLAB_TO_HALF(float, float)
HISTOLAB_HALF_AND(short, short)
HISTOLAB_HALF_AND(ushort, unsigned short)
HISTOLAB_HALF_AND(int, int)
HISTOLAB_HALF_AND(uint, unsigned int)
HISTOLAB_HALF_AND(ll, long long)
HISTOLAB_HALF_AND(ull, unsigned long long)
#undef HISTOLAB_HALF_AND
#undef HISTOLAB_HALF_TO
#undef HISTOLAB_TO_HALF
static __forceinline__ signed char __half2char_rz(__half x) {
  return histolab_half_whole<signed char>(truncf(__half2float(x)));
}
static __forceinline__ unsigned char __half2uchar_rz(__half x) {
  return histolab_half_whole<unsigned char>(truncf(__half2float(x)));
}

// ---- pairs ----
/// The pair of x and y.
static __forceinline__ __half2 make_half2(__half x, __half y) { return {x, y}; }
/// The pair of a, as x, and b, as y.
static __forceinline__ __half2 __halves2half2(__half a, __half b) { return {a, b}; }
/// The pair of the same number twice.
static __forceinline__ __half2 __half2half2(__half a) { return {a, a}; }
/// x of the pair.
static __forceinline__ __half __low2half(__half2 a) { return a.x; }
/// y of the pair.
static __forceinline__ __half __high2half(__half2 a) { return a.y; }
/// x of the pair, as a float.
static __forceinline__ float __low2float(__half2 a) { return __half2float(a.x); }
/// y of the pair, as a float.
static __forceinline__ float __high2float(__half2 a) { return __half2float(a.y); }
static __forceinline__ __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
static __forceinline__ __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
static __forceinline__ __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
static __forceinline__ __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
static __forceinline__ __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
/// The pair of the half nearest to the number, twice.
static __forceinline__ __half2 __float2half2_rn(float x) { return __half2half2(histolab_half(x)); }
/// The pair of the halves nearest to two numbers.
static __forceinline__ __half2 __floats2half2_rn(float a, float b) {
  return {histolab_half(a), histolab_half(b)};
}
static __forceinline__ __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
static __forceinline__ float2 __half22float2(__half2 a) {
  return {__half2float(a.x), __half2float(a.y)};
}

// ---- arithmetic ----
/// The number with the other sign.
static __forceinline__ __half __hneg(__half a) {
  return __ushort_as_half((unsigned short)(__half_as_ushort(a) ^ 0x8000u));
}
/// The number without its sign.
static __forceinline__ __half __habs(__half a) {
  return __ushort_as_half((unsigned short)(__half_as_ushort(a) & 0x7fffu));
}
static __forceinline__ __half histolab_half_choice(bool first, __half a, __half b) {
  return __ushort_as_half(first ? __half_as_ushort(a) : __half_as_ushort(b));
}
// Clamps to [0, 1]; NaN becomes 0.
static __forceinline__ __half histolab_half_saturated(double x) {
  return histolab_half(x > 0 ? (x < 1 ? x : 1.0) : 0.0);
}

#define HISTOLAB_HALF_PAIR1(name, of_one) \
  static __forceinline__ __half2 name(__half2 a) { return {of_one(a.x), of_one(a.y)}; }
#define HISTOLAB_HALF_PAIR2(name, of_one)                     \
  static __forceinline__ __half2 name(__half2 a, __half2 b) { \
    return {of_one(a.x, b.x), of_one(a.y, b.y)};              \
  }
#define HISTOLAB_HALF_PAIR3(name, of_one)                                \
  static __forceinline__ __half2 name(__half2 a, __half2 b, __half2 c) { \
    return {of_one(a.x, b.x, c.x), of_one(a.y, b.y, c.y)};               \
  }
#define HISTOLAB_HALF_OPERATION(name, sign)                                                    \
  static __forceinline__ __half __h##name(__half a, __half b) {                                \
    return histolab_half((double)__half2float(a) sign __half2float(b));                        \
  }                                                                                            \
  static __forceinline__ __half __h##name##_rn(__half a, __half b) { return __h##name(a, b); } \
  static __forceinline__ __half __h##name##_sat(__half a, __half b) {                          \
    return histolab_half_saturated((double)__half2float(a) sign __half2float(b));              \
  }                                                                                            \
  HISTOLAB_HALF_PAIR2(__h##name##2, __h##name)                                                 \
  HISTOLAB_HALF_PAIR2(__h##name##2_rn, __h##name)                                              \
  HISTOLAB_HALF_PAIR2(__h##name##2_sat, __h##name##_sat)
HISTOLAB_HALF_OPERATION(add, +)
HISTOLAB_HALF_OPERATION(sub, -)
HISTOLAB_HALF_OPERATION(mul, *)
#undef HISTOLAB_HALF_OPERATION
/// a / b.
static __forceinline__ __half __hdiv(__half a, __half b) {
  return histolab_half((double)__half2float(a) / __half2float(b));
}
/// a * b + c, rounded once.
static __forceinline__ __half __hfma(__half a, __half b, __half c) {
  return histolab_half(histolab_f64_of_f16_fma(__half2float(a), __half2float(b), __half2float(c)));
}
/// a * b + c, rounded once, between 0 and 1.
static __forceinline__ __half __hfma_sat(__half a, __half b, __half c) {
  return histolab_half_saturated(
      histolab_f64_of_f16_fma(__half2float(a), __half2float(b), __half2float(c)));
}
/// a * b + c, rounded once; 0 if that is negative.
static __forceinline__ __half __hfma_relu(__half a, __half b, __half c) {
  const __half sum = __hfma(a, b, c);
  return histolab_half_choice(__half2float(sum) <= 0, CUDART_ZERO_FP16, sum);
}
HISTOLAB_HALF_PAIR1(__hneg2, __hneg)
HISTOLAB_HALF_PAIR1(__habs2, __habs)
HISTOLAB_HALF_PAIR2(__h2div, __hdiv)
HISTOLAB_HALF_PAIR3(__hfma2, __hfma)
HISTOLAB_HALF_PAIR3(__hfma2_sat, __hfma_sat)
HISTOLAB_HALF_PAIR3(__hfma2_relu, __hfma_relu)
/// a * b + c of complex numbers: x is the real part.
static __forceinline__ __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// ---- comparisons ----
/// True if it is NaN.
static __forceinline__ bool __hisnan(__half a) { return (__half_as_ushort(a) & 0x7fff) > 0x7c00; }
/// 1 for infinity, -1 for minus infinity, else 0.
static __forceinline__ int __hisinf(__half a) {
  return __half_as_ushort(a) == 0x7c00 ? 1 : __half_as_ushort(a) == 0xfc00 ? -1 : 0;
}
static __forceinline__ __half histolab_half_of(bool is_true) {
  return __ushort_as_half(is_true ? 0x3c00 : 0);
}
static __forceinline__ unsigned int histolab_half_mask(bool x, bool y) {
  return (x ? 0xffffu : 0u) | (y ? 0xffff0000u : 0u);
}
#define HISTOLAB_HALF_COMPARISON(name, condition)                                          \
  static __forceinline__ bool __h##name(__half l, __half r) {                              \
    const float a = __half2float(l), b = __half2float(r);                                  \
    return condition;                                                                      \
  }                                                                                        \
  static __forceinline__ __half2 __h##name##2(__half2 a, __half2 b) {                      \
    return {histolab_half_of(__h##name(a.x, b.x)), histolab_half_of(__h##name(a.y, b.y))}; \
  }                                                                                        \
  static __forceinline__ unsigned int __h##name##2_mask(__half2 a, __half2 b) {            \
    return histolab_half_mask(__h##name(a.x, b.x), __h##name(a.y, b.y));                   \
  }                                                                                        \
  static __forceinline__ bool __hb##name##2(__half2 a, __half2 b) {                        \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                     \
  }
// If one operand is NaN, these are false, and those with a `u` are true.
HISTOLAB_HALF_COMPARISON(eq, a == b)
HISTOLAB_HALF_COMPARISON(ne, a<b || a> b)
HISTOLAB_HALF_COMPARISON(le, a <= b)
HISTOLAB_HALF_COMPARISON(ge, a >= b)
HISTOLAB_HALF_COMPARISON(lt, a < b)
HISTOLAB_HALF_COMPARISON(gt, a > b)
HISTOLAB_HALF_COMPARISON(equ, !(a < b || a > b))
HISTOLAB_HALF_COMPARISON(neu, !(a == b))
HISTOLAB_HALF_COMPARISON(leu, !(a > b))
HISTOLAB_HALF_COMPARISON(geu, !(a < b))
HISTOLAB_HALF_COMPARISON(ltu, !(a >= b))
HISTOLAB_HALF_COMPARISON(gtu, !(a <= b))
#undef HISTOLAB_HALF_COMPARISON
static __forceinline__ __half2 __hisnan2(__half2 a) {
  return {histolab_half_of(__hisnan(a.x)), histolab_half_of(__hisnan(a.y))};
}
/// The larger one. If one of the two is NaN, the other one; +0 is larger than -0.
static __forceinline__ __half __hmax(__half a, __half b) {
  if (__hisnan(a) && __hisnan(b)) return CUDART_NAN_FP16;
  return histolab_half_choice(__hisnan(b) || __hgt(a, b) || (__heq(a, b) && __half_as_short(b) < 0),
                              a, b);
}
/// The smaller one. If one of the two is NaN, the other one; -0 is smaller than +0.
static __forceinline__ __half __hmin(__half a, __half b) {
  if (__hisnan(a) && __hisnan(b)) return CUDART_NAN_FP16;
  return histolab_half_choice(__hisnan(b) || __hlt(a, b) || (__heq(a, b) && __half_as_short(a) < 0),
                              a, b);
}
/// The larger one; NaN if one of the two is NaN.
static __forceinline__ __half __hmax_nan(__half a, __half b) {
  return histolab_half_choice(__hisnan(a) || __hisnan(b), CUDART_NAN_FP16, __hmax(a, b));
}
/// The smaller one; NaN if one of the two is NaN.
static __forceinline__ __half __hmin_nan(__half a, __half b) {
  return histolab_half_choice(__hisnan(a) || __hisnan(b), CUDART_NAN_FP16, __hmin(a, b));
}
HISTOLAB_HALF_PAIR2(__hmax2, __hmax)
HISTOLAB_HALF_PAIR2(__hmin2, __hmin)
HISTOLAB_HALF_PAIR2(__hmax2_nan, __hmax_nan)
HISTOLAB_HALF_PAIR2(__hmin2_nan, __hmin_nan)

// ---- functions ----
#define HISTOLAB_HALF_FUNCTION(name, value)         \
  static __forceinline__ __half h##name(__half a) { \
    const double x = __half2float(a);               \
    return histolab_half(value);                    \
  }                                                 \
  HISTOLAB_HALF_PAIR1(h2##name, h##name)
HISTOLAB_HALF_FUNCTION(trunc, trunc(x))
HISTOLAB_HALF_FUNCTION(ceil, ceil(x))
HISTOLAB_HALF_FUNCTION(floor, floor(x))
HISTOLAB_HALF_FUNCTION(rint, rint(x))
HISTOLAB_HALF_FUNCTION(sqrt, sqrt(x))
HISTOLAB_HALF_FUNCTION(rsqrt, 1 / sqrt(x))
HISTOLAB_HALF_FUNCTION(rcp, 1 / x)
HISTOLAB_HALF_FUNCTION(log, log(x))
HISTOLAB_HALF_FUNCTION(log2, log2(x))
HISTOLAB_HALF_FUNCTION(log10, log10(x))
HISTOLAB_HALF_FUNCTION(exp, exp(x))
HISTOLAB_HALF_FUNCTION(exp2, exp2(x))
HISTOLAB_HALF_FUNCTION(exp10, exp10(x))
HISTOLAB_HALF_FUNCTION(cos, cos(x))
HISTOLAB_HALF_FUNCTION(sin, sin(x))
HISTOLAB_HALF_FUNCTION(tanh, tanh(x))
HISTOLAB_HALF_FUNCTION(tanh_approx, tanh(x))
#undef HISTOLAB_HALF_FUNCTION
#undef HISTOLAB_HALF_PAIR3
#undef HISTOLAB_HALF_PAIR2
#undef HISTOLAB_HALF_PAIR1

// ---- warps and memory ----
#define HISTOLAB_HALF_SHUFFLE(name, From)                                                          \
  static __forceinline__ __half name(unsigned int mask, __half value, From from, int width = 32) { \
    return __ushort_as_half(                                                                       \
        (unsigned short)name(mask, (unsigned int)__half_as_ushort(value), from, width));           \
  }                                                                                                \
  static __forceinline__ __half2 name(unsigned int mask, __half2 value, From from,                 \
                                      int width = 32) {                                            \
    return __builtin_bit_cast(__half2_raw,                                                         \
                              name(mask, __builtin_bit_cast(unsigned int, value), from, width));   \
  }
HISTOLAB_HALF_SHUFFLE(__shfl_sync, int)
HISTOLAB_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
HISTOLAB_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
HISTOLAB_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef HISTOLAB_HALF_SHUFFLE

unsigned short histolab_add_half(unsigned short* address, unsigned short value)
    HISTOLAB_RUNTIME(atomicAdd_f16);
unsigned int histolab_add_half2(unsigned int* address, unsigned int value)
    HISTOLAB_RUNTIME(atomicAdd_f16x2);
/// Reads old = *address and stores old + value, in one atomic operation. Returns old.
static __forceinline__ __half atomicAdd(__half* address, __half value) {
  return __ushort_as_half(histolab_add_half((unsigned short*)address, __half_as_ushort(value)));
}
/// Reads old = *address and stores old + value, atomically for x and for y. Returns old.
static __forceinline__ __half2 atomicAdd(__half2* address, __half2 value) {
  return __builtin_bit_cast(
      __half2_raw,
      histolab_add_half2((unsigned int*)address, __builtin_bit_cast(unsigned int, value)));
}

// ---- operators ----
#define HISTOLAB_HALF_OPERATORS(T, add, sub, mul, div, neg, one)                   \
  static __forceinline__ T operator+(const T& a, const T& b) { return add(a, b); } \
  static __forceinline__ T operator-(const T& a, const T& b) { return sub(a, b); } \
  static __forceinline__ T operator*(const T& a, const T& b) { return mul(a, b); } \
  static __forceinline__ T operator/(const T& a, const T& b) { return div(a, b); } \
  static __forceinline__ T& operator+=(T& a, const T& b) { return a = add(a, b); } \
  static __forceinline__ T& operator-=(T& a, const T& b) { return a = sub(a, b); } \
  static __forceinline__ T& operator*=(T& a, const T& b) { return a = mul(a, b); } \
  static __forceinline__ T& operator/=(T& a, const T& b) { return a = div(a, b); } \
  static __forceinline__ T& operator++(T& a) { return a = add(a, one); }           \
  static __forceinline__ T& operator--(T& a) { return a = sub(a, one); }           \
  static __forceinline__ T operator++(T& a, int) {                                 \
    const T old = a;                                                               \
    a = add(old, one);                                                             \
    return old;                                                                    \
  }                                                                                \
  static __forceinline__ T operator--(T& a, int) {                                 \
    const T old = a;                                                               \
    a = sub(old, one);                                                             \
    return old;                                                                    \
  }                                                                                \
  static __forceinline__ T operator+(const T& a) { return a; }                     \
  static __forceinline__ T operator-(const T& a) { return neg(a); }
#define HISTOLAB_HALF_COMPARISONS(T, eq, neu, gt, lt, ge, le)                          \
  static __forceinline__ bool operator==(const T& a, const T& b) { return eq(a, b); }  \
  static __forceinline__ bool operator!=(const T& a, const T& b) { return neu(a, b); } \
  static __forceinline__ bool operator>(const T& a, const T& b) { return gt(a, b); }   \
  static __forceinline__ bool operator<(const T& a, const T& b) { return lt(a, b); }   \
  static __forceinline__ bool operator>=(const T& a, const T& b) { return ge(a, b); }  \
  static __forceinline__ bool operator<=(const T& a, const T& b) { return le(a, b); }
#ifndef __CUDA_NO_HALF_OPERATORS__
HISTOLAB_HALF_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv, __hneg, CUDART_ONE_FP16)
HISTOLAB_HALF_COMPARISONS(__half, __heq, __hneu, __hgt, __hlt, __hge, __hle)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
HISTOLAB_HALF_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2,
                        __half2half2(CUDART_ONE_FP16))
// A comparison is true if it is true for both x and y. This includes !=.
HISTOLAB_HALF_COMPARISONS(__half2, __hbeq2, __hbneu2, __hbgt2, __hblt2, __hbge2, __hble2)
#endif
#undef HISTOLAB_HALF_COMPARISONS
#undef HISTOLAB_HALF_OPERATORS

using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
#ifndef CUDA_NO_HALF
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
#endif
