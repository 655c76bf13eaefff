// Tests the rules of shuffles at their limits. For tests of these functions as called by a kernel,
// see worker/conformance_warp_test.cpp.
#include "kernels/emulator/lanes/warp_collectives.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

std::uint32_t source(WarpFunction function, std::uint32_t lane, std::uint32_t operand,
                     std::uint32_t width) {
  return shuffle_source({function, 0, ~0u, 0, operand, width}, lane);
}

TEST_CASE("a shuffle's source") {
  using enum WarpFunction;
  CHECK(source(shuffle, 9, 3, 32) == 3);
  CHECK(source(shuffle, 9, 35, 32) == 3);
  CHECK(source(shuffle, 9, 5, 4) == 9);
  CHECK(source(shuffle, 31, ~0u, 8) == 31);
  CHECK(source(shuffle_up, 9, 9, 32) == 0);
  CHECK(source(shuffle_up, 9, 10, 32) == 9);
  CHECK(source(shuffle_up, 9, 1, 8) == 8);
  CHECK(source(shuffle_up, 9, 2, 8) == 9);
  CHECK(source(shuffle_up, 9, 33, 32) == 8);  // only five bits count
  CHECK(source(shuffle_down, 30, 1, 32) == 31);
  CHECK(source(shuffle_down, 30, 2, 32) == 30);
  CHECK(source(shuffle_down, 6, 2, 8) == 6);
  CHECK(source(shuffle_xor, 6, 8, 8) == 6);   // a later section
  CHECK(source(shuffle_xor, 14, 8, 8) == 6);  // an earlier one
  CHECK(source(shuffle_xor, 5, 31, 32) == 26);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t operand : {0u, 1u, 17u, 31u, 32u, ~0u})
      for (std::uint32_t width : {0u, 1u, 5u, 32u, 33u, ~0u})  // any value, valid or not
        for (const WarpFunction function : {shuffle, shuffle_up, shuffle_down, shuffle_xor})
          CHECK(source(function, lane, operand, width) < 32);
}

TEST_CASE("only participating lanes vote and get an answer") {
  std::array<WarpCall, 32> calls{};
  std::array<std::uint64_t, 32> answers{};
  for (std::uint32_t l = 0; l < 32; ++l) calls[l] = {WarpFunction::ballot, 0, 0xf0, l != 5, 0, 32};
  answer(calls, 0xf0, answers);
  CHECK(answers[4] == 0xd0);
  CHECK(answers[3] == 0);
  for (WarpCall& call : calls) call.function = WarpFunction::all;
  answer(calls, 0xd0, answers);
  CHECK(answers[6] == 1);
}

}  // namespace
}  // namespace histolab::kernels::emulator
