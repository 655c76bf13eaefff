// Conversions of 16-bit floating-point numbers (IEEE binary16), for <cuda_fp16.h> and its
// atomicAdd.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace histolab::kernels::emulator {

enum class HalfRounding { nearest, zero, up, down };  // as in include/cuda_fp16.h

// Returns the bits of `x` as a half. NaN becomes 0x7fff.
inline std::uint16_t half_bits(double x, HalfRounding rounding = HalfRounding::nearest) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const bool negative = bits >> 63 != 0;
  const std::uint32_t sign = negative ? 0x8000 : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  if (exponent == 1024) return static_cast<std::uint16_t>(fraction != 0 ? 0x7fff : sign | 0x7c00);
  std::uint32_t magnitude = 0x7bff;  // the largest finite one
  bool exact = false, away = true;
  if (exponent < 16) {
    const std::uint64_t significand = fraction | (exponent == -1023 ? 0 : std::uint64_t{1} << 52);
    // The last bit of a half is worth 2^-10 of its power of two, but at least 2^-24.
    const int shift = std::min(42 + std::max(-14 - exponent, 0), 63);
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1),
                        middle = std::uint64_t{1} << (shift - 1);
    const auto whole = static_cast<std::uint32_t>(significand >> shift);
    magnitude = exponent < -14 ? whole : whole + (static_cast<std::uint32_t>(exponent + 14) << 10);
    exact = rest == 0;
    away = rest > middle || (rest == middle && (whole & 1) != 0);
  }
  if (rounding != HalfRounding::nearest)
    away = !exact && rounding == (negative ? HalfRounding::down : HalfRounding::up);
  return static_cast<std::uint16_t>(
      sign | (magnitude + (away ? 1 : 0)));  // a carry gives the next power of two, or infinity
}

inline float half_value(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u,
                      fraction = bits & 0x3ffu;
  if (exponent == 31)
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : std::bit_cast<float>(sign | 0x7f800000);
  if (exponent == 0) return (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

// Returns a * b + c for three halves. The product is exact. The sum is rounded to odd, so that a
// second rounding to fewer bits is correct.
inline double half_fma(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c, added = sum - product;
  const double error = (product - (sum - added)) + (c - added);
  const auto bits = std::bit_cast<std::int64_t>(sum);
  if (!(error < 0 || error > 0) || (bits & 1) != 0) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace histolab::kernels::emulator
