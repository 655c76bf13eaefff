// Intrinsics on floating-point numbers: bit casts, conversions and arithmetic with a rounding, and the fast functions.
//
// Included only into sources that seem to use one (kernels/worker/compiler.cpp). The fast functions (__expf, __sinf, ...) are
// the accurate ones here: a GPU gives fewer correct digits. Definitions: CUDA Math API; conversions of numbers that do not
// fit saturate, as the PTX instruction cvt does.
#pragma once

// ---- bits as another type ---------------------------------------------------------------------------------------------
#define HISTOLAB_BITS(name, To, From) static inline To name(From x) { return __builtin_bit_cast(To, x); }
HISTOLAB_BITS(__float_as_int, int, float)
HISTOLAB_BITS(__float_as_uint, unsigned int, float)
HISTOLAB_BITS(__int_as_float, float, int)
HISTOLAB_BITS(__uint_as_float, float, unsigned int)
HISTOLAB_BITS(__double_as_longlong, long long, double)
HISTOLAB_BITS(__longlong_as_double, double, long long)
#undef HISTOLAB_BITS
static inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
static inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
static inline double __hiloint2double(int high, int low) { return __longlong_as_double((long long)high << 32 | (unsigned int)low); }

// ---- what the runtime computes with a rounding of its own (kernels/emulator/device_math.cpp) -----------------------------
enum HistolabRounding { HISTOLAB_RN, HISTOLAB_RZ, HISTOLAB_RU, HISTOLAB_RD };
enum HistolabOperation { HISTOLAB_ADD, HISTOLAB_SUB, HISTOLAB_MUL, HISTOLAB_DIV, HISTOLAB_SQRT, HISTOLAB_FMA };
extern "C" {
float histolab_rounded_f32(int operation, int rounding, float a, float b, float c) noexcept;
double histolab_rounded_f64(int operation, int rounding, double a, double b, double c) noexcept;
float histolab_f32_of_f64(int rounding, double x) noexcept;
float histolab_f32_of_i64(int rounding, long long x) noexcept;
float histolab_f32_of_u64(int rounding, unsigned long long x) noexcept;
double histolab_f64_of_i64(int rounding, long long x) noexcept;
double histolab_f64_of_u64(int rounding, unsigned long long x) noexcept;
}

// ---- conversions --------------------------------------------------------------------------------------------------------
// `x` is whole already. What is no number becomes 0, or the lowest (unsigned: middle) value where one of the types has 64 bits.
template <class To, class From>
static inline To histolab_saturated(From x) {
  constexpr int bits = 8 * sizeof(To);
  constexpr bool is_signed = (To)-1 < (To)0;
  constexpr To low = is_signed ? (To)(1ull << (bits - 1)) : (To)0, high = is_signed ? (To)~(1ull << (bits - 1)) : (To)~0ull;
  constexpr From end = (From)(1ull << (bits - 1)) * (is_signed ? 1 : 2);
  if (x != x) return sizeof(To) == 4 && sizeof(From) == 4 ? (To)0 : (To)(1ull << (bits - 1));
  return x >= end ? high : x < (From)low ? low : (To)x;
}
#define HISTOLAB_TO_WHOLE(name, To, From, suffix)                                                      \
  static inline To name##_rn(From x) { return histolab_saturated<To>(rint##suffix(x)); }               \
  static inline To name##_rz(From x) { return histolab_saturated<To>(trunc##suffix(x)); }              \
  static inline To name##_ru(From x) { return histolab_saturated<To>(ceil##suffix(x)); }               \
  static inline To name##_rd(From x) { return histolab_saturated<To>(floor##suffix(x)); }
HISTOLAB_TO_WHOLE(__float2int, int, float, f)
HISTOLAB_TO_WHOLE(__float2uint, unsigned int, float, f)
HISTOLAB_TO_WHOLE(__float2ll, long long, float, f)
HISTOLAB_TO_WHOLE(__float2ull, unsigned long long, float, f)
HISTOLAB_TO_WHOLE(__double2int, int, double, )
HISTOLAB_TO_WHOLE(__double2uint, unsigned int, double, )
HISTOLAB_TO_WHOLE(__double2ll, long long, double, )
HISTOLAB_TO_WHOLE(__double2ull, unsigned long long, double, )
#undef HISTOLAB_TO_WHOLE
#define HISTOLAB_ROUNDED_TO(name, To, From, function)                                            \
  static inline To name##_rn(From x) { return function(HISTOLAB_RN, x); }                        \
  static inline To name##_rz(From x) { return function(HISTOLAB_RZ, x); }                        \
  static inline To name##_ru(From x) { return function(HISTOLAB_RU, x); }                        \
  static inline To name##_rd(From x) { return function(HISTOLAB_RD, x); }
HISTOLAB_ROUNDED_TO(__double2float, float, double, histolab_f32_of_f64)
HISTOLAB_ROUNDED_TO(__int2float, float, int, histolab_f32_of_i64)
HISTOLAB_ROUNDED_TO(__uint2float, float, unsigned int, histolab_f32_of_u64)
HISTOLAB_ROUNDED_TO(__ll2float, float, long long, histolab_f32_of_i64)
HISTOLAB_ROUNDED_TO(__ull2float, float, unsigned long long, histolab_f32_of_u64)
HISTOLAB_ROUNDED_TO(__ll2double, double, long long, histolab_f64_of_i64)
HISTOLAB_ROUNDED_TO(__ull2double, double, unsigned long long, histolab_f64_of_u64)
#undef HISTOLAB_ROUNDED_TO
static inline double __int2double_rn(int x) { return x; }
static inline double __uint2double_rn(unsigned int x) { return x; }

// ---- arithmetic with a rounding -------------------------------------------------------------------------------------------
#define HISTOLAB_ROUNDED(T, bits, prefix, fma_name, suffix, ROUNDING)                                                     \
  static inline T __##prefix##add_##suffix(T a, T b) { return histolab_rounded_f##bits(HISTOLAB_ADD, ROUNDING, a, b, 0); } \
  static inline T __##prefix##sub_##suffix(T a, T b) { return histolab_rounded_f##bits(HISTOLAB_SUB, ROUNDING, a, b, 0); } \
  static inline T __##prefix##mul_##suffix(T a, T b) { return histolab_rounded_f##bits(HISTOLAB_MUL, ROUNDING, a, b, 0); } \
  static inline T __##prefix##div_##suffix(T a, T b) { return histolab_rounded_f##bits(HISTOLAB_DIV, ROUNDING, a, b, 0); } \
  static inline T __##prefix##rcp_##suffix(T a) { return histolab_rounded_f##bits(HISTOLAB_DIV, ROUNDING, 1, a, 0); }      \
  static inline T __##prefix##sqrt_##suffix(T a) { return histolab_rounded_f##bits(HISTOLAB_SQRT, ROUNDING, a, 0, 0); }    \
  static inline T fma_name##_##suffix(T a, T b, T c) { return histolab_rounded_f##bits(HISTOLAB_FMA, ROUNDING, a, b, c); }
#define HISTOLAB_ROUNDED_ALL(T, bits, prefix, fma_name)             \
  HISTOLAB_ROUNDED(T, bits, prefix, fma_name, rn, HISTOLAB_RN)      \
  HISTOLAB_ROUNDED(T, bits, prefix, fma_name, rz, HISTOLAB_RZ)      \
  HISTOLAB_ROUNDED(T, bits, prefix, fma_name, ru, HISTOLAB_RU)      \
  HISTOLAB_ROUNDED(T, bits, prefix, fma_name, rd, HISTOLAB_RD)
HISTOLAB_ROUNDED_ALL(float, 32, f, __fmaf)
HISTOLAB_ROUNDED_ALL(double, 64, d, __fma)
#undef HISTOLAB_ROUNDED_ALL
#undef HISTOLAB_ROUNDED
static inline float __frsqrt_rn(float x) { return (float)(1 / sqrt((double)x)); }

// ---- fast functions -------------------------------------------------------------------------------------------------------
// glibc's <math.h> has its own declarations of some of these names, which must agree.
extern "C" {
static inline float __saturatef(float x) noexcept { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }  // what is no number becomes 0
static inline float __fdividef(float x, float y) noexcept { return x / y; }
static inline float __expf(float x) noexcept { return expf(x); }
static inline float __exp10f(float x) noexcept { return exp10f(x); }
static inline float __logf(float x) noexcept { return logf(x); }
static inline float __log2f(float x) noexcept { return log2f(x); }
static inline float __log10f(float x) noexcept { return log10f(x); }
static inline float __sinf(float x) noexcept { return sinf(x); }
static inline float __cosf(float x) noexcept { return cosf(x); }
static inline float __tanf(float x) noexcept { return tanf(x); }
static inline float __powf(float x, float y) noexcept { return powf(x, y); }
static inline void __sincosf(float x, float* sine, float* cosine) noexcept { *sine = sinf(x), *cosine = cosf(x); }
}
