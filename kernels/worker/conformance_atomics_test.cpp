// Tests of every atomic function of the shim against its definition in the CUDA C++ Programming
// Guide, in global and shared memory, at the edges of its type.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <limits>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

struct Case {
  std::string function, type, operands;
  std::uint64_t before, after;  // bits
};

constexpr std::uint64_t u64(std::int64_t x) { return static_cast<std::uint64_t>(x); }
std::uint64_t f32(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t f64(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr std::int64_t int_min = std::numeric_limits<std::int32_t>::min(),
                       int_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t uint_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t long_min = std::numeric_limits<std::int64_t>::min(),
                       long_max = std::numeric_limits<std::int64_t>::max();

// Runs each operation once in one thread and checks the values before and after.
void check_atomics(const std::vector<Case>& cases, const std::string& suffix) {
  std::string body;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    body += fmt::format(
        "  {{ auto* p = ({0}*)(in_shared ? shared + {1} : cells + {1}); start(p, {2:#x}ull); {0} "
        "old = {3}{4}(p, {5});"
        " put(out + {6}, old); put(out + {7}, *p); }}\n",
        c.type, i, c.before, c.function, suffix, c.operands, 2 * i, 2 * i + 1);
  }
  const std::string source = fmt::format(R"(
template <class T> __device__ void put(unsigned long long* to, T x) {{
  *to = 0;
  memcpy(to, &x, sizeof x);
}}
template <class T> __device__ void start(T* p, unsigned long long bits) {{
  memcpy(p, &bits, sizeof *p);
}}
__global__ void k(unsigned long long* out, unsigned long long* cells, int in_shared) {{
  __shared__ unsigned long long shared[{}];
{}}}
)",
                                         cases.size(), body);
  for (const std::uint32_t in_shared : {0u, 1u}) {
    const Outcome outcome =
        run(source, {.grid = {1},
                     .block = {1},
                     .arguments = {out<std::uint64_t>("out", 2 * cases.size()),
                                   out<std::uint64_t>("cells", cases.size()), word(in_shared)}});
    CHECK(faults(outcome) == "");
    const auto values = outcome.output<std::uint64_t>();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Case& c = cases[i];
      CAPTURE(in_shared);
      CHECK_MESSAGE(values[2 * i] == c.before, c.function, suffix, "(", c.type, " ", c.before, ", ",
                    c.operands, ") returned ", values[2 * i]);
      CHECK_MESSAGE(values[2 * i + 1] == c.after, c.function, suffix, "(", c.type, " ", c.before,
                    ", ", c.operands, ") left ", values[2 * i + 1]);
    }
  }
}

std::vector<Case> all_cases() {
  const std::string i = "int", u = "unsigned int", l = "unsigned long long", s = "long long";
  std::vector<Case> cases = {
      {"atomicAdd", i, "1", i32(int_max), i32(int_min)},
      {"atomicAdd", i, "-1", i32(int_min), i32(int_max)},
      {"atomicAdd", i, "-7", 3, i32(-4)},
      {"atomicAdd", u, "1u", i32(uint_max), 0},
      {"atomicAdd", u, "0u", 5, 5},
      {"atomicAdd", l, "1ull", i32(uint_max), 1ull << 32},
      {"atomicAdd", l, "2ull", ~0ull, 1},
      {"atomicAdd", "float", "0.25f", f32(1.5f), f32(1.75f)},
      // A float cannot hold 2^24 + 1.
      {"atomicAdd", "float", "1.0f", f32(16777216.0f), f32(16777216.0f)},
      {"atomicAdd", "float", "-0.0f", f32(-0.0f), f32(-0.0f)},
      {"atomicAdd", "double", "1e-3", f64(2.0), f64(2.001)},
      {"atomicSub", i, "1", i32(int_min), i32(int_max)},
      {"atomicSub", u, "1u", 0, i32(uint_max)},
      {"atomicExch", i, "-9", 4, i32(-9)},
      {"atomicExch", u, "0u", i32(uint_max), 0},
      {"atomicExch", l, "0x123456789abcdefull", ~0ull, 0x123456789abcdefull},
      {"atomicExch", "float", "-2.5f", f32(1.0f), f32(-2.5f)},
      {"atomicMin", i, "-1", 0, i32(-1)},
      {"atomicMin", i, "1", i32(-1), i32(-1)},
      {"atomicMin", i, "(int)0x80000000", i32(int_max), i32(int_min)},
      {"atomicMin", u, "0xffffffffu", 1, 1},
      {"atomicMin", u, "1u", i32(uint_max), 1},
      {"atomicMin", l, "1ull", ~0ull, 1},
      {"atomicMin", s, "-1ll", 1, u64(-1)},
      {"atomicMin", s, "0ll", u64(long_min), u64(long_min)},
      {"atomicMax", i, "-1", i32(-2), i32(-1)},
      {"atomicMax", i, "0", i32(-1), 0},
      {"atomicMax", i, "-1", i32(int_max), i32(int_max)},
      {"atomicMax", u, "0xffffffffu", 1, i32(uint_max)},
      {"atomicMax", l, "0xffffffffull", 1ull << 32, 1ull << 32},
      {"atomicMax", s, "1ll", u64(-1), 1},
      {"atomicMax", s, "-1ll", u64(long_max), u64(long_max)},
      // ((old >= val) ? 0 : (old + 1))
      {"atomicInc", u, "5u", 4, 5},
      {"atomicInc", u, "5u", 5, 0},
      {"atomicInc", u, "5u", 6, 0},
      {"atomicInc", u, "0u", 0, 0},
      {"atomicInc", u, "0xffffffffu", i32(uint_max), 0},
      {"atomicInc", u, "0xffffffffu", i32(uint_max) - 1, i32(uint_max)},
      // (((old == 0) || (old > val)) ? val : (old - 1))
      {"atomicDec", u, "5u", 0, 5},
      {"atomicDec", u, "5u", 6, 5},
      {"atomicDec", u, "5u", 5, 4},
      {"atomicDec", u, "5u", 1, 0},
      {"atomicDec", u, "0u", 0, 0},
      {"atomicDec", u, "0u", 1, 0},
      {"atomicAnd", i, "-16", i32(-1), i32(-16)},
      {"atomicAnd", u, "0x0ff0u", 0xf0f0, 0x00f0},
      {"atomicAnd", l, "0xffffffff00000000ull", ~0ull, 0xffffffff00000000ull},
      {"atomicOr", i, "(int)0x80000000", 1, i32(int_min) | 1},
      {"atomicOr", u, "0x0fu", 0xf0, 0xff},
      {"atomicOr", l, "0x8000000000000000ull", 1, 0x8000000000000001ull},
      {"atomicXor", i, "-1", 5, i32(-6)},
      {"atomicXor", u, "0xffu", 0x0f, 0xf0},
      {"atomicXor", l, "0xffffffff00000001ull", 1, 0xffffffff00000000ull},
      // (old == compare ? val : old)
      {"atomicCAS", "unsigned short", "(unsigned short)0xffff, (unsigned short)7", 0xffff, 7},
      {"atomicCAS", "unsigned short", "(unsigned short)1, (unsigned short)7", 2, 2},
      {"atomicCAS", i, "-1, 9", i32(-1), 9},
      {"atomicCAS", i, "1, 9", i32(-1), i32(-1)},
      {"atomicCAS", u, "0u, 0xffffffffu", 0, i32(uint_max)},
      {"atomicCAS", u, "3u, 4u", 2, 2},
      {"atomicCAS", l, "0x100000001ull, 5ull", 0x100000001ull, 5},
      {"atomicCAS", l, "1ull, 5ull", 0x100000001ull, 0x100000001ull},  // all 64 bits are compared
  };
  return cases;
}

}  // namespace

TEST_CASE("atomic functions return and store the defined values") {
  check_atomics(all_cases(), "");
}

TEST_CASE("atomic functions of block and system scope do the same") {
  check_atomics(all_cases(), "_block");
  check_atomics(all_cases(), "_system");
}

TEST_CASE("an atomic of two bytes leaves its neighbour alone") {
  const Outcome outcome =
      run(R"(
__global__ void k(unsigned short* cells) {
  atomicCAS(cells + threadIdx.x, (unsigned short)0, (unsigned short)(threadIdx.x + 1));
})",
          {.grid = {1}, .block = {8}, .arguments = {out<std::uint16_t>("cells", 8)}});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output<std::uint16_t>() == std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("no update is lost under any schedule") {
  const std::string source = R"(
__device__ float atomic_multiply(float* address, float by) {  // from the programming guide
  int* as_int = (int*)address;
  int old = *as_int, assumed;
  do {
    assumed = old;
    float next;
    memcpy(&next, &assumed, 4);
    next *= by;
    int bits;
    memcpy(&bits, &next, 4);
    old = atomicCAS(as_int, assumed, bits);
  } while (assumed != old);
  float result;
  memcpy(&result, &old, 4);
  return result;
}
__global__ void k(unsigned int* sum, float* product, unsigned int* ticket, unsigned int* seen) {
  __shared__ unsigned int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, threadIdx.x);
  atomic_multiply(product, threadIdx.x % 2 == 0 ? 2.0f : 0.5f);
  seen[atomicInc(ticket, 1u << 20)] = 1;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, part);
})";
  for (const Schedule schedule : all_schedules) {
    std::vector<float> one{1.0f};
    Value product = in("product", one);
    product.kind = Argument::Kind::output;
    const Outcome outcome =
        run(source, {.grid = {3},
                     .block = {96},
                     .arguments = {out("sum", 1), product, out("ticket", 1), out("seen", 288)},
                     .options = under(schedule)});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output(0)[0] == 3 * 95 * 96 / 2);
    CHECK(outcome.output<float>(1)[0] == 1.0f);
    CHECK(outcome.output(2)[0] == 288);
    CHECK(outcome.output(3) == std::vector<std::uint32_t>(288, 1));
  }
}
