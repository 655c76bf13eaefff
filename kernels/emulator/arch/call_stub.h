// Calls of the runtime from loaded code: which instruction makes one, how far it reaches, and stubs
// for functions that are farther away.
#pragma once

#include <cstdint>

namespace histolab::kernels::emulator {

// A stub is code that jumps to an address, which is in the stub itself.
inline constexpr std::uint64_t stub_bytes = 16;
void write_stub(std::uint8_t* code, std::uint64_t target);

// Returns whether the instruction whose last field is at `field` is a call or a jump. `field` must
// not be the first byte of the code.
[[nodiscard]] bool is_field_of_call(const std::uint8_t* field);
// Returns the address behind a call whose field is at `field`.
[[nodiscard]] constexpr std::uint64_t behind_call_field(std::uint64_t field) { return field + 4; }
// Returns whether a call from anywhere in the window reaches `target`. `image`: the window's text.
[[nodiscard]] constexpr bool is_in_reach(std::uint64_t image, std::uint64_t target) {
  constexpr std::uint64_t reach = 1ull << 30;  // half the range of a call
  return target - image + reach < 2 * reach;
}

}  // namespace histolab::kernels::emulator
