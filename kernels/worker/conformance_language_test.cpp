// Tests of the language: qualifiers, templates, helpers, includes, the kernel's signature, printf.
#include <doctest/doctest.h>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

Outcome run_one(const std::string& source, std::uint32_t threads = 1, std::size_t words = 4) {
  return run(source, {.grid = {1}, .block = {threads}, .arguments = {out("out", words)}});
}

}  // namespace

TEST_CASE("all that a file of CUDA may include") {
  const Outcome outcome = run_one(R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <device_functions.h>
#include <device_atomic_functions.h>
#include <sm_60_atomic_functions.h>
#include <vector_types.h>
#include <vector_functions.h>
#include "cuda_runtime.h"
#include <assert.h>
#include <cassert>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <float.h>
#include <limits.h>
#include <limits>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
__global__ void k(unsigned int* out) {
  const std::uint32_t limit = UINT32_MAX;
  assert(limit > 0);
  static_assert(std::is_same<decltype(atomicAdd(out, 1u)), unsigned int>::value, "");
  out[0] = std::numeric_limits<unsigned char>::max();
  out[1] = min(7, 9) + max(1u, 2u);
  out[2] = sizeof(int64_t) + CHAR_BIT;
  out[3] = abs(-3);
})");
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<std::uint32_t>{255, 9, 16, 3});
}

TEST_CASE("qualifiers, in the places where CUDA code has them") {
  const Outcome outcome = run_one(R"(
#define BINS 4
constexpr int twice(int x) { return 2 * x; }
__device__ __forceinline__ int one() { return 1; }
__host__ __device__ inline int two() { return 2; }
static __device__ __noinline__ int three() { return 3; }
__inline__ __device__ int four() { return 4; }
extern "C" __device__ const unsigned int factor = 5;
__device__ int later(int);
using Count = unsigned int;
enum class Kind : unsigned char { first, second };
__global__ void __launch_bounds__(256, 2) k(Count* __restrict__ out) {
  out[0] = one() + two() + three() + four() + twice(BINS);
  out[1] = factor + later(1);
  out[2] = static_cast<unsigned int>(Kind::second);
  auto add = [&](int x) { return x + (int)out[2]; };
  out[3] = add(8);
}
__device__ int later(int x) { return x + 5; })");
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<std::uint32_t>{18, 11, 1, 9});
}

TEST_CASE("templates, and classes with methods and operators") {
  const Outcome outcome = run_one(R"(
template <typename T, int N> struct Ring {
  T cells[N];
  int next = 0;
  __device__ void put(T x) { cells[next++ % N] = x; }
  __device__ T& operator[](int i) { return cells[i]; }
};
template <class F> __device__ unsigned int sum(unsigned int n, F&& f) {
  unsigned int s = 0;
  for (unsigned int i = 0; i < n; ++i) s += f(i);
  return s;
}
template <unsigned N> __device__ unsigned int product() {
  if constexpr (N == 0) return 1; else return N * product<N - 1>();
}
template <class... T> __device__ int many(T... x) { return (x + ...); }
struct Base { int a; __device__ Base(int a) : a(a) {} __device__ ~Base() { a = 0; } };
struct Derived : Base { using Base::Base; __device__ int get() const { return a; } };
__global__ void k(unsigned int* out) {
  Ring<int, 3> ring;
  for (int i = 0; i < 5; ++i) ring.put(i);
  out[0] = ring[0] * 100 + ring[1] * 10 + ring[2];
  out[1] = sum(10, [](unsigned int i) { return i * i; });
  out[2] = product<5>() + many(1, 2, 3);
  out[3] = Derived(7).get();
})");
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<std::uint32_t>{342, 285, 126, 7});
}

TEST_CASE("control flow of every kind, each thread on its own way") {
  const Outcome outcome = run(R"(
__device__ unsigned int collatz(unsigned int n) {
  unsigned int s = 0;
  while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++s; }
  return s;
}
__global__ void k(unsigned int* out) {
  const unsigned int t = threadIdx.x;
  unsigned int r = 0;
  switch (t % 5) {
    case 0: r = 1; [[fallthrough]];
    case 1: r += 10; break;
    case 2:
      for (unsigned int i = 0; ; ++i) { if (i == t) break; if (i % 2) continue; r += i; }
      break;
    case 3: do { r += 3; } while (r < t); break;
    default: goto end;
  }
  r += collatz(t + 1);
end:
  out[t] = r;
})",
                              {.grid = {1}, .block = {70}, .arguments = {out("out", 70)}});
  CHECK(faults(outcome) == "");
  for (std::uint32_t t = 0; t < 70; ++t) {
    std::uint32_t r = 0, n = t + 1;
    if (t % 5 == 0) r = 11;
    if (t % 5 == 1) r = 10;
    if (t % 5 == 2)
      for (std::uint32_t i = 0; i < t; i += 2) r += i;
    if (t % 5 == 3) r = (t + 2) / 3 * 3;
    for (; t % 5 != 4 && n != 1; ++r) n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    REQUIRE(outcome.output()[t] == r);
  }
}

TEST_CASE("floating point is the device's: IEEE single and double") {
  check_values({
      {"v(1.0f) / v(3.0f)", 0x3eaaaaab},
      {"(int)v(-2.9f)", 0xfffffffe},
      {"v(0.1) + v(0.2)", 0x3fd3333333333334},
      {"v(1e30f) * v(1e30f)", 0x7f800000},
      {"(unsigned int)v(3e9f)", 3000000000u},
      {"(int)(v(0.0f) == v(-0.0f))", 1},
  });
}

TEST_CASE("a template cannot be launched, nor a host function, nor a missing one") {
  const std::vector<Value> arguments{out("out", 1)};
  for (const auto& [source, word] :
       {std::pair{"template <class T> __global__ void k(T* out) { *out = 1; }\ntemplate __global__ "
                  "void k<unsigned>(unsigned*);",
                  "template"},
        {"void k(unsigned int* out) { *out = 1; }", "__global__"},
        {"__global__ void other(unsigned int* out) { *out = 1; }", "k"},
        {"__global__ void k(unsigned int* out, int n) { *out = n; }", "k"},
        {"__global__ void k(unsigned int out) {}", "k"},
        {"__global__ void k(unsigned int*) {}\n__global__ void k(int*) {}", "k"}}) {
    const Compiled compiled = compile(source, arguments);
    CHECK(!compiled.ok);
    REQUIRE(!compiled.diagnostics.empty());
    CHECK_MESSAGE(compiled.diagnostics[0].message.find(word) != std::string::npos,
                  compiled.diagnostics[0].message);
  }
}

TEST_CASE("parameters are judged by size and kind only") {
  for (const char* parameter : {"int* out", "const unsigned int* __restrict__ out", "float* out",
                                "volatile char* const out", "void* out", "uint4* out"}) {
    const Compiled compiled = compile("__global__ void k(" + std::string(parameter) + ", int n) {}",
                                      {out("out", 1), word(1)});
    CHECK_MESSAGE(compiled.ok, parameter);
  }
  CHECK(compile("extern \"C\" __global__ void k(char* out) {}", {out("out", 1)}).ok);
  CHECK(!compile("__global__ void k(char* out, long n) {}", {out("out", 1), word(1)}).ok);
  CHECK(!compile("__global__ void k(char* out, float n) {}", {out("out", 1), word(1)}).ok);
}

TEST_CASE("printf writes in the order of execution, with every conversion") {
  const Outcome outcome = run_one(R"(
#include <cstdio>
__global__ void k(unsigned int* out) {
  if (threadIdx.x == 2)
    printf("%d %u %x %c %s %5.2f %lld %% %p|\n", -1, 2u, 255, 'c', "text", 1.005f, 1ll << 40,
           (void*)0);
  if (threadIdx.x == 1) printf("plain\n");
  __syncthreads();
  if (threadIdx.x == 0) out[0] = printf("last %d", 5);
})",
                                  3);
  CHECK(faults(outcome) == "");
  const std::string& printed = outcome.last().printed;
  CHECK(printed.find("-1 2 ff c text  1.00 1099511627776 % (nil)|\n") != std::string::npos);
  CHECK(printed.find("plain\n") != std::string::npos);
  CHECK(printed.ends_with("last 5"));
}

TEST_CASE("a flood of printf output is cut, and the launch completes") {
  const Outcome outcome = run_one(R"(
__global__ void k(unsigned int* out) {
  for (int i = 0; i < 2000; ++i) printf("%d 0123456789012345678901234567890123456789\n", i);
  printf("%s", "\xff\xfe not UTF-8");
  atomicAdd(out, 1u);
})",
                                  2);
  CHECK(faults(outcome) == "");
  CHECK(outcome.output()[0] == 2);
  CHECK(outcome.last().printed.size() == 64 * 1024);
  CHECK(outcome.last().printed.ends_with("(printf: more than 64 KiB, the rest is left out)\n"));
}

TEST_CASE("output printed before a crash is kept") {
  const Outcome outcome = run_one(
      "__global__ void k(unsigned int* out) {\n  printf(\"here\");\n  int zero = out[0];\n  out[1] "
      "= 100 / zero;  //@divides\n}");
  CHECK(told(outcome) == "illegal_instruction @divides");
  CHECK(outcome.last().printed == "here");
}

TEST_CASE("a kernel has seven or twenty parameters") {
  const auto sum_of = [](std::size_t parameters, const std::string& before_sum) {
    std::string declared = "unsigned int* out", sum = "0";
    std::vector<Value> arguments{out("out", 64)};
    for (std::size_t i = 1; i + 1 < parameters; ++i) {
      const std::string name = "p" + std::to_string(i);
      declared += ", unsigned int " + name;
      sum += " + " + std::to_string(i) + " * " + name;
      arguments.push_back(word(static_cast<std::uint32_t>(1000 + i)));
    }
    declared += ", const unsigned int* last";
    arguments.push_back(in("last", std::vector<std::uint32_t>{7, 70}));
    const Outcome outcome = run(
        "#include <cooperative_groups.h>\n__global__ void k(" + declared + ") {\n" + before_sum +
            "\n  out[blockIdx.x * blockDim.x + threadIdx.x] = last[1] + " + sum + ";\n}",
        {.grid = {2}, .block = {32}, .arguments = arguments});
    CHECK(faults(outcome) == "");
    return outcome.output();
  };
  const auto weighted = [](std::uint32_t words, std::uint32_t more) {
    std::uint32_t sum = 70 + more;
    for (std::uint32_t i = 1; i <= words; ++i) sum += i * (1000 + i);
    return std::vector<std::uint32_t>(64, sum);
  };
  CHECK(sum_of(7, "") == weighted(5, 0));
  CHECK(sum_of(20, "") == weighted(18, 0));
  // A thread's changed parameters survive the time in which other blocks use its stack.
  CHECK(sum_of(20, "  p18 += 10; cooperative_groups::this_grid().sync();") == weighted(18, 180));
}

TEST_CASE("more parameters than the emulator passes") {
  std::string declared = "unsigned int* out";
  std::vector<Value> arguments{out("out", 1)};
  for (int i = 1; i < 63; ++i) {
    declared += ", unsigned int p" + std::to_string(i);
    arguments.push_back(word(1));
  }
  const std::string source = "__global__ void k(" + declared + ") { *out = p62; }";
  const Compiled compiled = compile(source, arguments);
  REQUIRE(compiled.ok);
  histolab::Result<Buffer> buffer = Buffer::zeroed(4);
  REQUIRE(buffer.ok());
  std::vector<Argument> made(63);
  made[0].kind = Argument::Kind::output;
  made[0].output = &*buffer;
  const auto observed = make_emulator(emulator_paths())->launch(compiled, {}, {made}, {});
  REQUIRE_FALSE(observed.ok());
  CHECK(observed.error().message == "the emulator passes at most 62 parameters to a kernel");
}
