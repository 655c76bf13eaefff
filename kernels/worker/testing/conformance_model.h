// A model of the kernels in kernels/cuda/conformance.cu: it computes the words that one thread
// writes for its three operands.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace histolab::kernels::testing {

using Words = std::vector<std::uint32_t>;

// The launch that the kernels are written for. Each thread writes conformance_words words.
inline constexpr std::uint32_t conformance_words = 160, conformance_blocks = 64,
                               conformance_threads = 64;
// Returns the source with this kernel renamed to `k`.
[[nodiscard]] std::string conformance_source(const std::string& kernel);

// Returns operands: the edges of every part of a word, all kinds of floating-point numbers, and
// random words.
[[nodiscard]] Words conformance_operands();

[[nodiscard]] Words model_of_integers(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_simd(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_dpx(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_conversions(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_atomics(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_float_atomics(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_half_arithmetic(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_half_conversions(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_half_atomics(std::uint32_t a, std::uint32_t b, std::uint32_t c);
[[nodiscard]] Words model_of_every_half(std::uint32_t thread);  // the 16 numbers of a thread
// The model for one lane of a warp, from the operands of all 32 lanes.
struct WarpOperands {
  std::array<std::uint32_t, 32> a, b, c;
};
[[nodiscard]] Words model_of_warps(const WarpOperands& of, std::uint32_t lane);

}  // namespace histolab::kernels::testing
