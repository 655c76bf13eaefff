// How much stack machine code takes.
#include "kernels/emulator/stack_frames.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

std::optional<std::uint32_t> stack_of(std::vector<std::uint8_t> text) { return stack_of_all_functions(text, decode_flow(text, 0)); }

}  // namespace

TEST_CASE("registers alone, and what keeps the stack aligned, are no local variables") {
  CHECK(stack_of({0xc3}) == 0);
  CHECK(stack_of({0x53, 0x55, 0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0x5d, 0x5b, 0xc3}) == 0);  // push, push, sub rsp 8, ...
}

TEST_CASE("frames of all functions together, and some more") {
  const auto one = stack_of({0x48, 0x83, 0xec, 0x20, 0x48, 0x83, 0xc4, 0x20, 0xc3});  // sub rsp, 32; add rsp, 32; ret
  REQUIRE(one);
  CHECK(*one >= 32 + 128);
  CHECK(*one <= 256);
  // sub rsp, 32; call 10; ret  10: sub rsp, 64; ret
  const auto two = stack_of({0x48, 0x83, 0xec, 0x20, 0xe8, 1, 0, 0, 0, 0xc3, 0x48, 0x83, 0xec, 0x40, 0xc3});
  REQUIRE(two);
  CHECK(*two >= 32 + 64 + 8 + 128);
  CHECK(stack_of({0x48, 0x83, 0xe4, 0xe0, 0xc3}).value_or(0) >= 64);  // and rsp, -32
}

TEST_CASE("called twice is no recursion") {
  CHECK(stack_of({0xe8, 6, 0, 0, 0, 0xe8, 1, 0, 0, 0, 0xc3, 0x48, 0x83, 0xec, 0x20, 0xc3}));
}

TEST_CASE("not known: recursion, a length that only the running kernel knows, very much") {
  CHECK_FALSE(stack_of({0x74, 0x05, 0xe8, 0xf9, 0xff, 0xff, 0xff, 0xc3}));  // je +5; call 0; ret
  CHECK_FALSE(stack_of({0x48, 0x29, 0xc4, 0xc3}));                          // sub rsp, rax
  CHECK_FALSE(stack_of({0x48, 0x81, 0xec, 0, 0, 1, 0, 0xc3}));              // sub rsp, 65536
}

}  // namespace histolab::kernels::emulator
