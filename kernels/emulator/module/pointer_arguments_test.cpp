// The pointers among a kernel's arguments.
#include "kernels/emulator/module/pointer_arguments.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

using Words = std::vector<std::uint64_t>;

RawArguments numbered() {
  ArgumentWords words;
  for (std::uint64_t i = 1; words.add(i); ++i) {
  }
  return words.arguments();
}

}  // namespace

TEST_CASE("pointers to const are found by the types in the kernel's name") {
  const RawArguments arguments = numbered();
  // k(unsigned char const*, unsigned int, unsigned int*)
  const auto plain = pointer_arguments("_Z1kPKhjPj", arguments);
  REQUIRE(plain);
  CHECK(plain->to_const == Words{1});
  CHECK(plain->others == Words{3});
  // void k<float>(float const*, float, double, float*)
  const auto of_template = pointer_arguments("_Z1kIfEvPKT_fdPf", arguments);
  REQUIRE(of_template);
  CHECK(of_template->to_const == Words{1});
  CHECK(of_template->others == Words{2});
  // k(int, int, int, int, int, int, int const*, nine floats, int*): the ninth is on the stack
  const auto on_stack = pointer_arguments("_Z1kiiiiiiPKifffffffffPi", arguments);
  REQUIRE(on_stack);
  CHECK(on_stack->to_const == Words{7});
  CHECK(on_stack->others == Words{9});
  const auto none = pointer_arguments("_Z1kv", arguments);
  REQUIRE(none);
  CHECK(none->to_const.empty());
  CHECK(none->others.empty());
}

TEST_CASE("names without types, and types that may contain pointers") {
  const RawArguments arguments = numbered();
  for (const char* name : {"k", "_Z1k3Two", "_Z1kPFviE", "_Z1k6float4PKi", "", "_Z1kRi"}) {
    CAPTURE(name);
    CHECK_FALSE(pointer_arguments(name, arguments));
  }
  std::string many = "_Z1k";
  for (std::size_t i = 0; i <= ArgumentWords::most; ++i) many += 'i';
  CHECK_FALSE(pointer_arguments(many, arguments));
}

}  // namespace histolab::kernels::emulator
