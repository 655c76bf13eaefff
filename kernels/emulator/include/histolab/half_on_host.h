// The conversions of <cuda_fp16.h> for host code. On the device they are functions of the runtime
// (kernels/emulator/runtime/half_bits.h), with the same results.
#pragma once

#include <string.h>

#include "histolab/half_rounding.h"

extern "C" {

inline unsigned short histolab_f16_of_f64(int rounding, double x) noexcept {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  const bool negative = bits >> 63 != 0;
  const unsigned int sign = negative ? 0x8000 : 0;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  const unsigned long long fraction = bits & 0xfffffffffffff;
  if (exponent == 1024) return (unsigned short)(fraction != 0 ? 0x7fff : sign | 0x7c00);
  unsigned int magnitude = 0x7bff;  // the largest finite one
  bool exact = false, away = true;
  if (exponent < 16) {
    const unsigned long long significand = fraction | (exponent == -1023 ? 0 : 1ull << 52);
    const int below = exponent < -14 ? -14 - exponent : 0, shift = below < 21 ? 42 + below : 63;
    const unsigned long long rest = significand & ((1ull << shift) - 1),
                             middle = 1ull << (shift - 1);
    const unsigned int whole = (unsigned int)(significand >> shift);
    magnitude = exponent < -14 ? whole : whole + ((unsigned int)(exponent + 14) << 10);
    exact = rest == 0;
    away = rest > middle || (rest == middle && (whole & 1) != 0);
  }
  if (rounding != HISTOLAB_HALF_RN)
    away = !exact && rounding == (negative ? HISTOLAB_HALF_RD : HISTOLAB_HALF_RU);
  return (unsigned short)(sign | (magnitude + (away ? 1 : 0)));
}

inline float histolab_f32_of_f16(unsigned short half) noexcept {
  const unsigned int sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u,
                     fraction = half & 0x3ffu;
  if (exponent == 0) return (sign != 0 ? -1.0f : 1.0f) * (float)fraction * (1.0f / 16777216);
  const unsigned int bits = exponent < 31   ? sign | (exponent + 112) << 23 | fraction << 13
                            : fraction != 0 ? 0x7fc00000u
                                            : sign | 0x7f800000u;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

inline double histolab_f64_of_f16_fma(float a, float b, float c) noexcept {
  const double product = (double)a * b, sum = product + c, added = sum - product;
  const double error = (product - (sum - added)) + (c - added);
  long long bits;
  memcpy(&bits, &sum, sizeof bits);
  if (!(error < 0 || error > 0) || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : -1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}
}
