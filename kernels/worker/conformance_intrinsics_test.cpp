// Tests of integer and math intrinsics, cached loads and stores, and C library functions, each
// against its definition in the CUDA Math API, at the edges.
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr std::uint64_t i64(std::int64_t x) { return static_cast<std::uint64_t>(x); }

}  // namespace

TEST_CASE("counting and searching bits") {
  check_values({
      {"__popc(v(0u))", 0},
      {"__popc(v(0xffffffffu))", 32},
      {"__popc(v(0x80000001u))", 2},
      {"__popcll(v(0ull))", 0},
      {"__popcll(v(~0ull))", 64},
      {"__popcll(v(0x8000000000000001ull))", 2},
      {"__ffs(v(0))", 0},
      {"__ffs(v(1))", 1},
      {"__ffs(v((int)0x80000000))", 32},
      {"__ffs(v(12))", 3},
      {"__ffs(v(-1))", 1},
      {"__ffsll(v(0ll))", 0},
      {"__ffsll(v(1ll << 40))", 41},
      {"__ffsll(v((long long)0x8000000000000000))", 64},
      {"__clz(v(0))", 32},
      {"__clz(v(1))", 31},
      {"__clz(v(-1))", 0},
      {"__clz(v(0x7fffffff))", 1},
      {"__clz(v(0x00010000))", 15},
      {"__clzll(v(0ll))", 64},
      {"__clzll(v(1ll))", 63},
      {"__clzll(v(-1ll))", 0},
      {"__brev(v(0u))", 0},
      {"__brev(v(1u))", 0x80000000},
      {"__brev(v(0x0000000fu))", 0xf0000000},
      {"__brev(v(0x12345678u))", 0x1e6a2c48},
  });
}

TEST_CASE("picking bytes and shifting across two words") {
  check_values({
      {"__byte_perm(v(0x33221100u), v(0x77665544u), 0x3210u)", 0x33221100},
      {"__byte_perm(v(0x33221100u), v(0x77665544u), 0x7654u)", 0x77665544},
      {"__byte_perm(v(0x33221100u), v(0x77665544u), 0x0123u)", 0x00112233},
      {"__byte_perm(v(0x33221100u), v(0x77665544u), 0x5410u)", 0x55441100},
      // Only the low 16 bits select.
      {"__byte_perm(v(0x33221100u), v(0x77665544u), v(0x12340000u))", 0},
      {"__byte_perm(v(0x332211f0u), v(0x77665544u), 0x0008u)", 0xf0f0f0f0},  // bit 3 is ignored.
      {"__byte_perm(v(0x332211f0u), v(0x77665544u), 0x1119u)", 0x11111111},
      {"__funnelshift_l(v(0x89abcdefu), v(0x01234567u), 0)", 0x01234567},
      {"__funnelshift_l(v(0x89abcdefu), v(0x01234567u), 4)", 0x12345678},
      {"__funnelshift_l(v(0x89abcdefu), v(0x01234567u), v(31u))", 0xc4d5e6f7},
      // The shift wraps at 32.
      {"__funnelshift_l(v(0x89abcdefu), v(0x01234567u), v(36u))", 0x12345678},
      {"__funnelshift_r(v(0x89abcdefu), v(0x01234567u), 0)", 0x89abcdef},
      {"__funnelshift_r(v(0x89abcdefu), v(0x01234567u), 4)", 0x789abcde},
      {"__funnelshift_r(v(0x89abcdefu), v(0x01234567u), v(33u))", 0xc4d5e6f7},
  });
}

TEST_CASE("multiplying") {
  check_values({
      {"__mul24(v(3), v(-4))", i32(-12)},
      {"__mul24(v(0x7f000002), v(3))", 6},              // the upper eight bits do not count.
      {"__mul24(v(0x00800000), v(1))", i32(-8388608)},  // bit 23 is the sign.
      {"__mul24(v(0x7fffff), v(0x7fffff))", i32(0x7fffffll * 0x7fffffll)},
      {"__umul24(v(0xff000002u), v(3u))", 6},
      {"__umul24(v(0xffffffu), v(0xffffffu))", i32(0xffffffll * 0xffffffll)},
      {"__umulhi(v(0xffffffffu), v(0xffffffffu))", 0xfffffffe},
      {"__umulhi(v(0x10000u), v(0x10000u))", 1},
      {"__umulhi(v(0xffffu), v(0xffffu))", 0},
      {"__mulhi(v(-1), v(1))", i32(-1)},
      {"__mulhi(v((int)0x80000000), v((int)0x80000000))", 0x40000000},
      {"__mulhi(v(-1), v(-1))", 0},
      {"__mulhi(v(0x7fffffff), v(2))", 0},
  });
}

TEST_CASE("min and max of every pair of types, with the type that CUDA gives") {
  check_values({
      {"min(v(-1), v(1))", i32(-1)},
      {"max(v(-1), v(1))", 1},
      {"min(v((int)0x80000000), v(0x7fffffff))", 0x80000000},
      {"max(v((int)0x80000000), v(0x7fffffff))", 0x7fffffff},
      {"min(v(0xffffffffu), v(1u))", 1},
      {"max(v(0xffffffffu), v(1u))", 0xffffffff},
      // A comparison of int with unsigned is unsigned.
      {"min(v(-1), v(1u))", 1},
      {"max(v(-1), v(1u))", 0xffffffff},
      {"min(v(1u), v(-1))", 1},
      {"max(v(1u), v(-1))", 0xffffffff},
      {"min(v(-1l), v(1l))", i64(-1)},
      {"max(v(-1l), v(1l))", 1},
      {"min(v(~0ul), v(1ul))", 1},
      {"max(v(~0ul), v(1ul))", i64(-1)},
      {"min(v(-1l), v(1ul))", 1},
      {"max(v(1ul), v(-1l))", i64(-1)},
      {"min(v(-1ll), v(1ll))", i64(-1)},
      {"max(v(-1ll), v(1ll))", 1},
      {"min(v(~0ull), v(1ull))", 1},
      {"max(v(~0ull), v(1ull))", i64(-1)},
      {"min(v(-1ll), v(1ull))", 1},
      {"max(v(-1ll), v(1ull))", i64(-1)},
      {"min(v(1ull), v(-1ll))", 1},
      {"min(v(1.5f), v(-2.5f))", std::bit_cast<std::uint32_t>(-2.5f)},
      {"max(v(1.5f), v(-2.5f))", std::bit_cast<std::uint32_t>(1.5f)},
      {"min(v(1.5), v(-2.5))", std::bit_cast<std::uint64_t>(-2.5)},
      {"max(v(1.5), v(-2.5))", std::bit_cast<std::uint64_t>(1.5)},
      {"(unsigned char)(sizeof min(1, 2u) * 16 + sizeof max(1ll, 2ull))", 0x48},
      {"(int)(min(v(-1), v(1u)) > 0)", 1},
      {"umin(v(0xffffffffu), v(1u))", 1},
      {"umax(v(0xffffffffu), v(1u))", 0xffffffff},
      {"abs(v(-5))", 5},
      {"abs(v(0x7fffffff))", 0x7fffffff},
  });
}

TEST_CASE("loads and stores with a cache hint move every type") {
  check_values(
      {
          {"__ldg(&u)", 0x01020304},
          {"__ldca(&c)", 0x7f},
          {"__ldcg(&l)", 0x0102030405060708},
          {"__ldcs(&u)", 0x01020304},
          {"__ldlu(&f)", std::bit_cast<std::uint32_t>(2.5f)},
          {"__ldg(&four).z", 3},
          {"__ldg(&eight).y", 6},
          {"(__stwb(&to, 5u), to)", 5},
          {"(__stcg(&to, 6u), to)", 6},
          {"(__stcs(&to, 7u), to)", 7},
          {"(__stwt(&to, 8u), to)", 8},
      },
      R"(
__device__ unsigned int u = 0x01020304, to;
__device__ char c = 0x7f;
__device__ unsigned long long l = 0x0102030405060708;
__device__ float f = 2.5f;
__device__ uint4 four = {1, 2, 3, 4};
__device__ int2 eight = {5, 6};
)");
}

TEST_CASE("memcpy, memset and memmove") {
  check_values(
      {
          {"(memset(a, 0x5a, 7), a[6])", 0x5a},
          {"a[7]", 7},
          {"(memcpy(b, a, 8), b[0])", 0x5a},
          {"b[7]", 7},
          {"(memset(a, 0x100, 1), a[0])", 0},
          {"(memcpy(a, b, 0), a[1])", 0x5a},
      },
      "__device__ unsigned char a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, b[8];");
}

TEST_CASE("integers wrap, shift and convert as on the device") {
  check_values({
      // Char is signed.
      {"v(0x7fffffff) + 1", 0x80000000},
      {"v(-8) >> 1", i32(-4)},
      {"(int)v('\\xff')", i32(-1)},
      {"(int)sizeof(long)", 8},
      {"(int)sizeof(void*)", 8},
      {"(int)sizeof(wchar_t)", 4},
      {"(unsigned char)v(300)", 44},
      {"v(-7) / 2", i32(-3)},
      {"v(-7) % 3", i32(-1)},
      {"v(0u) - 1 < v(10u)", 0},
      {"(unsigned char)v((char)-128)", 128},
  });
}

TEST_CASE("clocks go forward") {
  const Outcome outcome = run(R"(
__global__ void k(int* out) {
  long long a = clock64(), b = clock64();
  int c = clock();
  out[0] = b >= a;
  out[1] = c;
})",
                              {.grid = {1}, .block = {1}, .arguments = {out("out", 2)}});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output()[0] == 1);
}

TEST_CASE("numbers of floating point: the functions that are exact") {
  check_values({
      {"fminf(v(0.0f), v(-0.0f))", 0x80000000},
      {"fminf(v(-0.0f), v(0.0f))", 0x80000000},
      {"fmaxf(v(-0.0f), v(0.0f))", 0},
      {"fmaxf(v(0.0f), v(-0.0f))", 0},
      {"fminf(v(0.0f) / v(0.0f), 2.0f)", 0x40000000},
      {"fmaxf(2.0f, v(0.0f) / v(0.0f))", 0x40000000},
      {"fmin(v(3.0), v(2.0))", 0x4000000000000000},
      {"rsqrtf(v(4.0f))", 0x3f000000},
      {"rsqrt(v(0.25))", 0x4000000000000000},
      {"__fdividef(v(1.0f), v(4.0f))", 0x3e800000},
      {"__saturatef(v(-3.0f))", 0},
      {"__saturatef(v(3.0f))", 0x3f800000},
      {"__saturatef(v(0.0f) / v(0.0f))", 0},
      {"__expf(v(0.0f))", 0x3f800000},
      {"__powf(v(2.0f), v(3.0f))", 0x41000000},
      {"__log2f(v(8.0f))", 0x40400000},
      {"exp10f(v(2.0f))", 0x42c80000},
      {"atan2f(v(0.0f), v(1.0f))", 0},
      {"__float2int_rn(v(2.5f))", 2},
      {"__float2int_rn(v(3.5f))", 4},
      {"__float2int_rz(v(-2.5f))", i32(-2)},
      {"__float2uint_rn(v(-1.0f))", 0},
      {"__float2int_rd(v(3e9f))", 0x7fffffff},
      {"__float_as_int(v(1.0f))", 0x3f800000},
      {"__int_as_float(v(0x40000000))", 0x40000000},
      {"__fadd_ru(v(1.0f), v(1e-10f))", 0x3f800001},
      {"__fadd_rd(v(1.0f), v(1e-10f))", 0x3f800000},
      {"__dadd_rz(v(1.0), v(-1e-20))", 0x3fefffffffffffff},
  });
}

TEST_CASE("clocks increase, by the same amount in each run") {
  const std::string source = R"(
__global__ void k(long long* out) {
  const long long before = clock64();
  __nanosleep(1000);
  const long long after = clock64();
  out[2 * threadIdx.x] = after > before, out[2 * threadIdx.x + 1] = after - before;
  while (clock64() < after + 1000000) {}
})";
  for (const Schedule schedule : all_schedules) {
    const auto once = [&] {
      return run(source, {.grid = {1},
                          .block = {64},
                          .arguments = {out<long long>("out", 128)},
                          .options = under(schedule)});
    };
    const Outcome first = once();
    CHECK(faults(first) == "");
    for (int t = 0; t < 64; ++t) CHECK(first.output<long long>()[2 * t] == 1);
    CHECK(first.output<long long>() == once().output<long long>());
  }
}

TEST_CASE("an endless __nanosleep loop hits the step limit") {
  const Outcome outcome =
      run("__global__ void k(unsigned* out) {\n  for (;;) __nanosleep(100);  //@sleep\n}",
          {.grid = {1}, .block = {64}, .arguments = {out("out", 1)}});
  CHECK(told(outcome) == "step_limit @sleep");
}

TEST_CASE("__isGlobal, __isShared and __isLocal recognize the memory of a pointer") {
  const Outcome outcome = run(R"(
__device__ unsigned variable;
__global__ void k(unsigned* out) {
  __shared__ unsigned shared;
  unsigned local = 1;
  unsigned* volatile escapes = &local;
  const void* all[] = {out, &variable, &shared, escapes, nullptr};
  for (int i = 0; i < 5; ++i)
    out[i] = !!__isGlobal(all[i]) + 2 * !!__isShared(all[i]) + 4 * !!__isLocal(all[i]);
})",
                              {.grid = {1}, .block = {1}, .arguments = {out("out", 5)}});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<unsigned>{1, 1, 2, 4, 0});
}

TEST_CASE(
    "mathematical functions are overloaded for float, abs for every type, and min and max ignore "
    "NaN") {
  for (const char* include : {"", "#include <math.h>\n", "#include <cmath>\n",
                              "#include <algorithm>\n#include <cmath>\n"}) {
    const Outcome outcome =
        run(std::string(include) + R"(
__global__ void k(const float* in, unsigned* out) {
  const float x = in[0], nan = in[1];
  out[0] = (unsigned)(sqrt(x) * sqrt(x));
  out[1] = sizeof(floor(x)) + sizeof(pow(x, x)) + 100 * sizeof(sqrt(2.0));
  out[2] = abs(-x) == 2.0f && abs(-0.75f) == 0.75f && abs(-3.5) == 3.5 &&
           abs(-5000000000ll) == 5000000000ll && abs(-3) == 3;
  out[3] = min(x, nan) == x && max(nan, x) == x && max(x, 3.0f) == 3.0f && min(2.0, -1.0) == -1.0;
  out[4] = (unsigned)sqrt(16);
})",
            {.grid = {1},
             .block = {1},
             .arguments = {in<float>("in", {2.0f, std::numeric_limits<float>::quiet_NaN()}),
                           out("out", 5)}});
    CHECK_MESSAGE(faults(outcome) == "", std::string(include));
    CHECK(outcome.output() == std::vector<unsigned>{1, 808, 1, 1, 4});
  }
}

TEST_CASE(
    "atomicAdd on a vector is reported as missing, and printf returns its number of arguments") {
  const Compiled compiled = compile(
      "__global__ void k(float2* out) {\n  atomicAdd(out, make_float2(1, 2));\n}", {out("out", 2)});
  REQUIRE(!compiled.diagnostics.empty());
  CHECK(compiled.diagnostics[0].line == 2);
  CHECK(compiled.diagnostics[0].message.find("atomicAdd on a vector type is CUDA (sm_90), but this "
                                             "version of the emulator does not have it yet") !=
        std::string::npos);
  const Outcome outcome = run(R"(
__global__ void k(int* out) {
  out[0] = printf("%s %c %llu %f %d%%\n", "text", 'c', 1ull << 40, 0.5, 3);
})",
                              {.grid = {1}, .block = {1}, .arguments = {out<int>("out", 1)}});
  CHECK(outcome.output<int>()[0] == 5);
  CHECK(outcome.last().printed == "text c 1099511627776 0.500000 3%\n");
}
