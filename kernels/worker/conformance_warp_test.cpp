// Tests of warp-level functions, each against its definition in the CUDA C++ Programming Guide
// ("Warp Functions"), under every schedule.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <functional>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// Returns the value of `expression` in each thread of one block, widened to 64 bits. It may use
// `lane` and `t`.
std::vector<std::uint64_t> values_of(const std::string& expression, std::uint32_t threads,
                                     Schedule schedule, const std::string& before = {}) {
  const std::string source = fmt::format(R"(
__global__ void k(unsigned long long* out) {{
  const unsigned t = threadIdx.x, lane = t % 32;
  {}
  const auto result = {};
  unsigned long long bits = 0;
  memcpy(&bits, &result, sizeof result);
  out[t] = bits;
}})",
                                         before, expression);
  const Outcome outcome = run(source, {.grid = {1},
                                       .block = {threads},
                                       .arguments = {out<std::uint64_t>("out", threads)},
                                       .options = under(schedule)});
  CHECK_MESSAGE(faults(outcome) == "", expression);
  return outcome.output<std::uint64_t>();
}

void check_lanes(const std::string& expression,
                 const std::function<std::uint64_t(std::uint32_t t)>& expected,
                 const std::string& before = {}, std::uint32_t threads = 64) {
  for (const Schedule schedule : all_schedules) {
    const auto values = values_of(expression, threads, schedule, before);
    for (std::uint32_t t = 0; t < threads; ++t)
      CHECK_MESSAGE(values[t] == expected(t), expression, " in thread ", t, " (",
                    std::string(name(schedule)), ") is ", values[t], ", not ", expected(t));
  }
}

constexpr std::uint64_t u32(std::int64_t x) { return static_cast<std::uint32_t>(x); }

}  // namespace

TEST_CASE(
    "__shfl_sync: the value of a lane of the caller's section, whose number counts modulo the "
    "width") {
  const std::string value = "const int v = 100 * (t / 32) + lane;";
  const auto of = [](std::uint32_t t, std::uint32_t lane) { return u32(100 * (t / 32) + lane); };
  check_lanes(
      "__shfl_sync(0xffffffff, v, 5)", [&](auto t) { return of(t, 5); }, value);
  check_lanes(
      "__shfl_sync(0xffffffff, v, lane + 1)", [&](auto t) { return of(t, (t + 1) % 32); }, value);
  check_lanes(
      "__shfl_sync(0xffffffff, v, -1)", [&](auto t) { return of(t, 31); }, value);
  for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u})
    check_lanes(
        fmt::format("__shfl_sync(0xffffffff, v, 7 * lane, {})", width),
        [&](auto t) { return of(t, t % 32 / width * width + 7 * (t % 32) % width); }, value);
}

TEST_CASE(
    "__shfl_up_sync and __shfl_down_sync: no wrapping, the lanes at the end keep their own value") {
  const std::string value = "const unsigned v = 1000 + t;";
  for (const std::uint32_t width : {2u, 8u, 32u})
    for (const std::uint32_t delta : {0u, 1u, 3u, 31u}) {
      check_lanes(
          fmt::format("__shfl_up_sync(0xffffffff, v, {}, {})", delta, width),
          [&](auto t) { return 1000 + (t % width >= delta ? t - delta : t); }, value);
      check_lanes(
          fmt::format("__shfl_down_sync(0xffffffff, v, {}, {})", delta, width),
          [&](auto t) { return 1000 + (t % width + delta < width ? t + delta : t); }, value);
    }
}

TEST_CASE("__shfl_xor_sync: a butterfly; earlier sections can be read, later ones cannot") {
  const std::string value = "const unsigned v = 1000 + t;";
  for (const std::uint32_t mask : {1u, 2u, 5u, 16u, 31u}) {
    check_lanes(
        fmt::format("__shfl_xor_sync(0xffffffff, v, {})", mask),
        [&](auto t) { return 1000 + (t ^ mask); }, value);
    check_lanes(
        fmt::format("__shfl_xor_sync(0xffffffff, v, {}, 8)", mask),
        [&](auto t) { return 1000 + ((t ^ mask) / 8 <= t / 8 ? t ^ mask : t); }, value);
  }
}

TEST_CASE("shuffles move every type") {
  const auto from = [](std::uint32_t t) { return t / 32 * 32 + (t + 3) % 32; };
  const auto shuffled = [](const std::string& type, const std::string& value) {
    return std::pair{"__shfl_sync(0xffffffff, v, lane + 3)",
                     fmt::format("const {} v = {};", type, value)};
  };
  const auto check = [&](const std::string& type, const std::string& value,
                         const std::function<std::uint64_t(std::uint32_t)>& expected) {
    const auto [expression, before] = shuffled(type, value);
    check_lanes(
        expression, [&](auto t) { return expected(from(t)); }, before);
  };
  check("int", "-5 - (int)t", [](auto t) { return u32(-5 - std::int64_t{t}); });
  check("unsigned", "0xf0000000u + t", [](auto t) { return 0xf0000000ull + t; });
  for (const char* type : {"long", "unsigned long", "long long", "unsigned long long"})
    check(type, "0xf123456700000000ll + t", [](auto t) { return 0xf123456700000000ull + t; });
  check("float", "0.5f + t",
        [](auto t) { return std::bit_cast<std::uint32_t>(0.5f + static_cast<float>(t)); });
  check("double", "0.25 + t", [](auto t) { return std::bit_cast<std::uint64_t>(0.25 + t); });
  check("short", "-(int)t", [](auto t) { return u32(-std::int64_t{t}); });  // promoted, as in CUDA
}

TEST_CASE("votes") {
  const auto ballot = [](std::uint32_t t) {
    std::uint32_t votes = 0;
    for (std::uint32_t l = 0; l < 32; ++l) votes |= std::uint32_t{(t / 32 * 32 + l) % 3 == 0} << l;
    return votes;
  };
  check_lanes("__ballot_sync(0xffffffff, t % 3 == 0)", ballot);
  check_lanes("__ballot_sync(0xffffffff, (int)(t << 31))", [](auto) { return 0xaaaaaaaau; });
  check_lanes("__any_sync(0xffffffff, t == 40)", [](auto t) { return t >= 32; });
  check_lanes("__all_sync(0xffffffff, t != 40)", [](auto t) { return t < 32; });
  check_lanes("__all_sync(0xffffffff, 256)", [](auto) { return 1; });
  // Some lanes of a warp.
  check_lanes("lane < 9 ? __ballot_sync(0x1ff, lane != 4) : 0u",
              [](auto t) { return t % 32 < 9 ? 0x1ef : 0; });
  check_lanes("lane % 2 ? __all_sync(0xaaaaaaaa, lane % 2) : __any_sync(0x55555555, lane % 2)",
              [](auto t) { return t % 2; });
}

TEST_CASE("matches") {
  const auto peers = [](std::uint32_t t, const auto& key) {
    std::uint32_t equal = 0;
    for (std::uint32_t l = 0; l < 32; ++l)
      equal |= std::uint32_t{key(t / 32 * 32 + l) == key(t)} << l;
    return equal;
  };
  check_lanes("__match_any_sync(0xffffffff, t % 7)",
              [&](auto t) { return peers(t, [](auto x) { return x % 7; }); });
  check_lanes("__match_any_sync(0xffffffff, t)", [](auto t) { return 1u << t % 32; });
  check_lanes("__match_any_sync(0xffffffff, 0x100000000ll * (t / 4))",
              [&](auto t) { return peers(t, [](auto x) { return x / 4; }); });
  // Compared by bits.
  check_lanes("__match_any_sync(0xffffffff, t % 2 ? 0.0f : -0.0f)",
              [&](auto t) { return t % 2 ? 0xaaaaaaaau : 0x55555555u; });
  check_lanes("__match_any_sync(0xffffffff, (double)(t / 16))",
              [](auto t) { return t % 32 < 16 ? 0xffffu : 0xffff0000u; });
  check_lanes("lane < 6 ? __match_any_sync(0x3f, t / 2) : 0u",
              [](auto t) { return t % 32 < 6 ? 3u << t % 32 / 2 * 2 : 0; });
  const std::string pred = "int all = 7;";
  check_lanes(
      "__match_all_sync(0xffffffff, t / 32, &all)", [](auto) { return 0xffffffffu; }, pred);
  check_lanes(
      "__match_all_sync(0xffffffff, t, &all)", [](auto) { return 0; }, pred);
  check_lanes(
      "(__match_all_sync(0xffffffff, 5.0, &all), all)", [](auto) { return 1; }, pred);
  check_lanes(
      "(__match_all_sync(0xffffffff, t == 33, &all), all)", [](auto t) { return t < 32; }, pred);
  check_lanes(
      "lane < 2 ? __match_all_sync(0x3, 1ull << 40, &all) : 0u",
      [](auto t) { return t % 32 < 2 ? 3 : 0; }, pred);
}

TEST_CASE("reductions") {
  check_lanes("__reduce_add_sync(0xffffffff, t)", [](auto t) { return t < 32 ? 496 : 496 + 1024; });
  check_lanes("__reduce_add_sync(0xffffffff, -(int)t)",
              [](auto t) { return u32(t < 32 ? -496 : -496 - 1024); });
  check_lanes("__reduce_min_sync(0xffffffff, (int)t - 40)",
              [](auto t) { return u32(t < 32 ? -40 : -8); });
  check_lanes("__reduce_max_sync(0xffffffff, (int)t - 40)",
              [](auto t) { return u32(t < 32 ? -9 : 23); });
  check_lanes("__reduce_min_sync(0xffffffff, t - 40)",
              [](auto t) { return t < 32 ? u32(-40) : 0; });
  check_lanes("__reduce_max_sync(0xffffffff, t - 40)",
              [](auto t) { return u32(t < 32 ? -9 : -1); });
  check_lanes("__reduce_and_sync(0xffffffff, t | 0x100)",
              [](auto t) { return t < 32 ? 0x100 : 0x120; });
  check_lanes("__reduce_or_sync(0xffffffff, 1u << lane / 2)", [](auto) { return 0xffff; });
  check_lanes("__reduce_xor_sync(0xffffffff, 1u << lane / 3)", [](auto) { return 0x3ff; });
  check_lanes("lane >= 30 ? __reduce_add_sync(0xc0000000, t) : 0u", [](auto t) {
    return t % 32 < 30 ? 0 : t < 32 ? 61 : 125;
  });
}

TEST_CASE("__activemask: the lanes that are at the call") {
  check_lanes("__activemask()", [](auto) { return 0xffffffffu; });
  check_lanes(
      "__activemask()", [](auto) { return 0x1fu; }, "", 5);
  check_lanes(
      "__activemask()", [](auto t) { return t < 32 ? 0xffffffffu : 0xffffu; }, "", 48);
  check_lanes("lane < 5 ? __activemask() : 0u", [](auto t) { return t % 32 < 5 ? 0x1fu : 0; });
  const std::string both =
      "unsigned m;\n  if (lane % 4 == 0) {\n    m = __activemask();\n  } else {\n    m = "
      "__activemask();\n  }\n";
  check_lanes(
      "m", [](auto t) { return t % 4 ? 0xeeeeeeeeu : 0x11111111u; }, both);
  // The lanes take paths of different length, one with memory accesses, and then reconverge.
  check_lanes(
      "__activemask()", [](auto) { return 0xffffffffu; },
      "for (unsigned j = 0; j < lane; ++j) out[t] = j;");
  check_lanes(
      "__activemask()", [](auto t) { return t < 32 ? ~1u : 0xffffffffu; },
      "if (t == 0) { out[0] = ~1u; return; }");
}

TEST_CASE("__activemask in a divergent loop returns the lanes in the same round") {
  const std::string source = R"(
__global__ void k(const unsigned char* data, unsigned* out) {
  unsigned sum = 0;
  for (unsigned j = 0; j < 8; ++j) {
    if (threadIdx.x >> data[j] % 5 & 1) continue;
    sum += __popc(__activemask()) == 16;
  }
  out[threadIdx.x] = sum;
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(source, {.grid = {1},
                     .block = {32},
                     .arguments = {in("data", std::string("\0\1\2\3\4\5\6\7", 8)), out("out", 32)},
                     .options = under(schedule)});
    CHECK(faults(outcome) == "");
    for (std::uint32_t t = 0; t < 32; ++t) {
      std::uint32_t rounds = 0;
      for (std::uint32_t j = 0; j < 8; ++j) rounds += (t >> j % 5 & 1) == 0;
      CHECK_MESSAGE(outcome.output()[t] == rounds, t, std::string(name(schedule)));
    }
  }
}

TEST_CASE("a lane that polls past another lane's __activemask does not block it forever") {
  const std::string source = R"(
__global__ void k(unsigned* out) {
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 3) {
    while (atomicAdd(&flag, 0u) == 0) {}
  } else if (threadIdx.x == 5) {
    out[0] = __activemask();
    atomicExch(&flag, 1u);
  }
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(source,
            {.grid = {1}, .block = {32}, .arguments = {out("out", 1)}, .options = under(schedule)});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output()[0] == 1u << 5);
  }
}

TEST_CASE("collectives one after another, in loops and in helpers, keep their answers apart") {
  const std::string source = R"(
template <class T> __device__ __forceinline__ T sum_of_warp(T x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  return __shfl_sync(0xffffffff, x, 0);
}
__device__ unsigned scan(unsigned x) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(0xffffffff, x, d);
    if (lane >= d) x += below;
  }
  return x;
}
__global__ void k(unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned total = 0;
  for (unsigned j = 0; j < 3; ++j) total += sum_of_warp(t + j) + (unsigned)sum_of_warp((double)j);
  out[t] = total + scan(t % 32);
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(
        source,
        {.grid = {2}, .block = {96}, .arguments = {out("out", 96)}, .options = under(schedule)});
    for (const Finding& finding : outcome.last().findings)
      CHECK(finding.kind == FindingKind::data_race);  // two blocks, one out
    for (std::uint32_t t = 0; t < 96; ++t) {
      const std::uint32_t warp = t / 32, l = t % 32, sum = 496 + 1024 * warp;
      CHECK(outcome.output()[t] == 3 * sum + 96 + 96 + l * (l + 1) / 2);
    }
  }
}
