// Tests of <cuda/cmath>, the headers of cuda/std/, names of <sys/types.h> and compiler hints:
// values by definition.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("cuda/cmath: quotients and multiples, at the edges of each type") {
  std::vector<Expectation> expected;
  const auto add = [&](const char* type, std::uint64_t a, std::uint64_t b) {
    const auto of = [&](const char* name) {
      return fmt::format("(unsigned long long)cuda::{0}(v(({1}){2}ull), v(({1}){3}ull))", name,
                         type, a, b);
    };
    const std::uint64_t whole = a / b + (a % b != 0 ? 1 : 0);
    expected.push_back({of("ceil_div"), whole});
    expected.push_back({of("round_down"), a / b * b});
    if (whole * b <= std::numeric_limits<std::uint32_t>::max() / 2)
      expected.push_back({of("round_up"), whole * b});
  };
  for (const char* type : {"int", "unsigned int", "long long", "unsigned long long"})
    for (const std::uint64_t a : {0u, 1u, 7u, 8u, 0x7fffffffu})
      for (const std::uint64_t b : {1u, 7u, 0x7fffffffu}) add(type, a, b);
  add("unsigned int", 0xffffffff, 2);
  add("unsigned int", 0xffffffff, 0xffffffff);
  add("unsigned long long", ~0ull, 3);
  for (const std::uint64_t x :
       {1ull, 2ull, 3ull, 9ull, 10ull, 99ull, 100ull, 0x7fffffffull, 0x80000000ull, ~0ull}) {
    std::uint64_t two = 0, ten = 0;
    for (std::uint64_t rest = x / 2; rest != 0; rest /= 2) ++two;
    for (std::uint64_t rest = x / 10; rest != 0; rest /= 10) ++ten;
    expected.push_back({fmt::format("cuda::ilog2(v({}ull))", x), two});
    expected.push_back({fmt::format("cuda::ilog10(v({}ull))", x), ten});
  }
  expected.push_back({"(int)cuda::ceil_div(Four, 3) + (int)cuda::round_up(5, Four)", 10});
  expected.push_back(
      {"(int)sizeof(cuda::ceil_div((short)1, 2ll)) + (int)sizeof(cuda::round_up((short)1, "
       "(short)2))",
       10});
  check_values(expected,
               "#include <cuda/cmath>\nenum Number { Four = 4 };\nstatic_assert(cuda::ceil_div(7, "
               "2) == 4);\n");
}

TEST_CASE("cuda/std: containers, traits, numbers, bits") {
  check_values(
      {
          {"counts.size() * 100 + counts.back()", 403},
          {"sum(cuda::std::span<const unsigned int, 4>(counts.data(), 4))", 6},
          {"sum(cuda::std::span<const unsigned int>(counts.data(), 4).subspan(2))", 5},
          {"cuda::std::get<1>(counts) + counts.at(v(3))", 4},
          {"cuda::std::get<0>(cuda::std::make_tuple(5, 6.0f)) + cuda::std::make_pair(1, 2).second",
           7},
          {"(int)cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int>", 1},
          {"(int)cuda::std::is_trivially_copyable_v<cuda::std::array<int, 2>>", 1},
          {"(int)sizeof(cuda::std::uint16_t) + (int)sizeof(cuda::std::intptr_t)", 10},
          {"cuda::std::numeric_limits<unsigned int>::max()", 0xffffffff},
          {"cuda::std::numeric_limits<long long>::min()", std::uint64_t{1} << 63},
          {"cuda::std::popcount(v(0xf0f0u)) * 100 + cuda::std::countl_zero(v(1u)) + "
           "cuda::std::has_single_bit(v(64u))",
           832},
          {"cuda::std::bit_ceil(v(5u)) * 16 + cuda::std::bit_width(v(5u))", 131},
          {"cuda::std::rotl(v(0x80000001u), 4)", 0x18},
          {"cuda::std::countr_zero(v(8u)) * 1000 + cuda::std::countr_zero(v(0u)) * 10 + "
           "cuda::std::countr_one(v(7u))",
           3323},
          {"(int)cuda::std::tuple_size_v<cuda::std::array<int, 5>> + "
           "(int)cuda::std::sqrtf(v(9.0f)) + (int)cuda::std::fmaxf(v(1.0f), 2.0f)",
           10},
          {"cuda::std::plus<unsigned int>()(1, 2) + cuda::std::less<>()(1, 2)", 4},
          {"(int)cuda::std::sqrt(v(16.0f)) + (int)cuda::std::floor(v(-0.5)) + "
           "(int)cuda::std::isnan(v(0.0f) / v(0.0f))",
           4},
          {"(int)cuda::std::cmp_less(-1, 1u) + (int)cuda::std::integral<char>", 2},
      },
      R"(
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/concepts>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
__constant__ cuda::std::array<unsigned int, 4> counts = {0, 1, 2, 3};
template <cuda::std::size_t N>
__device__ unsigned int sum(cuda::std::span<const unsigned int, N> values) {
  unsigned int all = 0;
  for (const unsigned int each : values) all += each;
  return all;
}
)");
}

TEST_CASE("array::at beyond the end ends the kernel") {
  const Outcome outcome =
      run("#include <cuda/std/array>\n__global__ void k(unsigned int* out) {\n  "
          "cuda::std::array<unsigned int, 4> a{};\n  out[0] = a.at(out[1] + 4);\n}\n",
          {.grid = {1}, .block = {1}, .arguments = {out("out", 2)}});
  CHECK(told(outcome).starts_with("illegal_instruction"));
}

TEST_CASE("names of <sys/types.h>, versions, and hints that are not evaluated") {
  check_values(
      {
          {"(int)sizeof(uint) * 1000 + (int)sizeof(ushort) * 100 + (int)sizeof(ulong) * 10 + "
           "(int)sizeof(u_char)",
           4281},
          {"(ushort)~0 + (u_int8_t)~0", 0x100fe},
          {"__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 - CUDART_VERSION", 0},
          {"CUDA_VERSION - CUDART_VERSION", 0},
          {"__NVCC__ + __CUDACC__ + (__CUDA_ARCH__ == __CUDA_ARCH_LIST__)", 3},
          {"assumed(v(3))", 3},
          {"__builtin_popcount(v(0xf0f0f0f0u)) * 100 + __builtin_popcountll(v(~0ull)) + "
           "__builtin_clz(v(1u))",
           1695},
          {"*(const int*)__builtin_assume_aligned(&one, 4) + (__builtin_expect(v(1) == 2, 0) ? 5 : "
           "6)",
           7},
      },
      R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <sys/types.h>
__device__ int one = 1;
__device__ int assumed(int x) {
  __builtin_assume(x++ < 100 && ++one > 0);
  return x;
}
)");
}

TEST_CASE("a half in shared memory is one access of 2 bytes, a half2 one of 4") {
  const std::string source = R"(
#include <cuda_fp16.h>
__global__ void k(unsigned int* out) {
  __shared__ half one[32];
  __shared__ half2 two[32];
  one[threadIdx.x] = half(threadIdx.x);
  two[threadIdx.x] = __floats2half2_rn(threadIdx.x, 1);
  __syncwarp();
  out[threadIdx.x] = __half2uint_rn(one[threadIdx.x ^ 1] + __high2half(two[threadIdx.x ^ 1]));
})";
  const Outcome outcome = run(source, {.grid = {1}, .block = {32}, .arguments = {out("out", 32)}});
  CHECK(faults(outcome) == "");
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(outcome.output()[i] == (i ^ 1) + 1);
  CHECK(outcome.last().counters.shared_store.requests == 2);
  CHECK(outcome.last().counters.shared_load.requests == 2);
}
