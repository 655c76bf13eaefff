// Tests of the memory traffic counters against values computed by hand. A sector has 32 bytes, a
// warp 32 threads, shared memory 32 banks of 4 bytes. A lane that makes an access is active.
// Buffers begin at a 256-byte boundary.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <tuple>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

using Three = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Three of(const reference::GlobalTraffic& t) { return {t.requests, t.sectors, t.bytes}; }
Three of(const reference::SharedTraffic& t) { return {t.requests, t.wavefronts, t.bank_conflicts}; }
Three of(const reference::AtomicContention& t) {
  return {t.updates, t.degree_sum(), t.degree_max()};
}
std::string text(const Three& t) {
  return std::to_string(std::get<0>(t)) + ", " + std::to_string(std::get<1>(t)) + ", " +
         std::to_string(std::get<2>(t));
}

std::string text(const std::array<std::uint64_t, 32>& requests_of_degree) {
  std::string all;
  for (std::size_t i = 0; i < 32; ++i)
    if (requests_of_degree[i] != 0)
      all += std::to_string(i + 1) + " lanes: " + std::to_string(requests_of_degree[i]) + "; ";
  return all;
}

// `body` may use t (the thread's number), data (8 KiB of zeros) and out (8 KiB).
Observation observe(const std::string& body, Dim3 block, Schedule schedule, Dim3 grid = {1, 1, 1},
                    const std::string& prelude = {}) {
  const std::string source = prelude +
                             "__global__ void k(const char* data, unsigned int* out) {\n"
                             "  const unsigned int t = threadIdx.x + blockDim.x * (threadIdx.y + "
                             "blockDim.y * threadIdx.z);\n  " +
                             body + "\n}";
  const Outcome outcome =
      run(source, {.grid = grid,
                   .block = block,
                   .arguments = {in("data", std::string(8192, '\0')), out("out", 2048)},
                   .options = under(schedule)});
  CHECK(outcome.last().ending == Ending::completed);
  return outcome.last();
}

reference::Counters count(const std::string& body, Dim3 block, Schedule schedule,
                          Dim3 grid = {1, 1, 1}, const std::string& prelude = {}) {
  return observe(body, block, schedule, grid, prelude).counters;
}

struct Case {
  const char* body;
  Three expected;
  Dim3 block = {32, 1, 1};
};

template <class Select>
void check_cases(const std::vector<Case>& cases, Select select) {
  for (const Case& c : cases)
    for (const Schedule schedule : all_schedules) {
      const Three got = of(select(count(c.body, c.block, schedule)));
      CHECK_MESSAGE(got == c.expected, std::string(c.body), " (", std::string(name(schedule)),
                    "): expected ", text(c.expected), ", got ", text(got));
    }
}

}  // namespace

TEST_CASE("global loads: requests, sectors, bytes") {
  check_cases(
      {
          // Widths, coalesced.
          {"if (data[t]) __trap();", {1, 1, 32}},
          {"if (((const short*)data)[t]) __trap();", {1, 2, 64}},
          {"if (((const int*)data)[t]) __trap();", {1, 4, 128}},
          {"if (((const double*)data)[t] != 0) __trap();", {1, 8, 256}},
          {"const uint4 v = ((const uint4*)data)[t]; if (v.x + v.y + v.z + v.w) __trap();",
           {1, 16, 512}},
          {"const uint2 v = ((const uint2*)data)[t]; if (v.y) __trap();", {1, 8, 256}},
          // Strides.
          {"if (((const int*)data)[2 * t]) __trap();", {1, 8, 128}},
          {"if (((const int*)data)[8 * t]) __trap();", {1, 32, 128}},
          {"if (((const int*)data)[32 * t]) __trap();", {1, 32, 128}},
          {"if (data[32 * t]) __trap();", {1, 32, 32}},
          {"if (data[8 * t]) __trap();", {1, 8, 32}},
          // One address for all lanes. A permutation costs as much as the identity.
          {"if (((const int*)data)[5]) __trap();", {1, 1, 4}},
          {"if (((const int*)data)[31 - t]) __trap();", {1, 4, 128}},
          {"if (((const int*)data)[t ^ 21]) __trap();", {1, 4, 128}},
          // Not aligned to a sector.
          {"if (data[t + 16]) __trap();", {1, 2, 32}},
          {"if (((const int*)data)[t + 1]) __trap();", {1, 5, 128}},
          {"if (((const int*)data)[t + 8]) __trap();", {1, 4, 128}},
          // Misaligned: also a finding.
          {"if (*(const int*)(data + 4 * t + 2)) __trap();", {1, 5, 128}},
          // Each word in two sectors, 31 of them shared.
          {"if (*(const int*)(data + 32 * t + 30)) __trap();", {1, 33, 128}},
          // Some lanes only.
          {"if (t % 2 && ((const int*)data)[t]) __trap();", {1, 4, 64}},
          {"if (t < 8 && ((const int*)data)[t]) __trap();", {1, 1, 32}},
          {"if (t == 31 && ((const int*)data)[t]) __trap();", {1, 1, 4}},
          {"if (t > 99 && data[t]) __trap();", {0, 0, 0}},
          // Several accesses.
          {"for (int j = 0; j < 3; ++j) if (((const int*)data)[32 * j + t]) __trap();",
           {3, 12, 384}},
          {"for (unsigned j = 0; j <= t % 4; ++j) if (((const int*)data)[32 * j + t]) __trap();",
           {4, 16, 320}},
          {"if (t < 16) { if (data[t]) __trap(); } else { if (data[t]) __trap(); }", {2, 2, 32}},
          // Partial warps, and blocks of two and three dimensions.
          {"if (((const int*)data)[t]) __trap();", {4, 13, 400}, {100, 1, 1}},
          {"if (data[t]) __trap();", {1, 1, 4}, {4, 1, 1}},
          {"if (((const int*)data)[threadIdx.y * 16 + threadIdx.x]) __trap();",
           {2, 8, 256},
           {16, 4, 1}},
          {"if (((const int*)data)[threadIdx.x * 4 + threadIdx.y]) __trap();",
           {2, 16, 256},
           {16, 4, 1}},
          {"if (((const int*)data)[t]) __trap();", {2, 6, 192}, {4, 4, 3}},
      },
      [](const reference::Counters& c) { return c.global_load; });
}

TEST_CASE("global stores and atomics") {
  check_cases(
      {
          {"out[t] = t;", {1, 4, 128}},
          {"((char*)out)[t] = t;", {1, 1, 32}},
          {"((unsigned long long*)out)[t] = t;", {1, 8, 256}},
          {"((uint4*)out)[t] = make_uint4(t, t, t, t);", {1, 16, 512}},
          {"((uint4*)out)[t] = ((const uint4*)data)[t];", {1, 16, 512}},
          {"out[16 * t] = t;", {4, 100, 400}, {100, 1, 1}},
          {"out[t] += 1;", {1, 4, 128}},
      },
      [](const reference::Counters& c) { return c.global_store; });
  check_cases(
      {
          {"atomicAdd(&out[t], 1u);", {1, 4, 128}},
          {"atomicAdd(out, 1u);", {1, 32, 4}},  // a sector is looked up per lane, even on one word.
          {"atomicAdd(&out[t % 7], t);", {1, 5, 28}},
          {"atomicAdd(&out[t % 7 * 8], t);", {1, 32, 28}},  // each word in a sector of its own.
          {"atomicAdd((unsigned long long*)out + t, 1ull);", {1, 8, 256}},
          {"atomicCAS(&out[8 * t], 0u, 1u);", {4, 100, 400}, {100, 1, 1}},
          {"out[t] += 1;", {0, 0, 0}},
      },
      [](const reference::Counters& c) { return c.global_atomic; });
}

TEST_CASE("atomics: updates, and how many lanes meet on one address") {
  const std::vector<Case> cases = {
      {"atomicAdd(&WHERE[t], 1u);", {32, 1, 1}},
      {"atomicAdd(&WHERE[0], 1u);", {32, 32, 32}},
      {"atomicAdd(&WHERE[t % 2], 1u);", {32, 16, 16}},
      {"atomicAdd(&WHERE[t < 5 ? 0 : t], 1u);", {32, 5, 5}},
      {"atomicAdd(&WHERE[0], 1u); atomicAdd(&WHERE[t], 1u);", {64, 33, 32}},
      {"atomicAdd(&WHERE[0], 1u);", {100, 100, 32}, {100, 1, 1}},
      {"if (t % 4 == 0) atomicMax(&WHERE[t / 8], t);", {8, 2, 2}},
  };
  for (const bool shared : {false, true})
    for (const Case& c : cases)
      for (const Schedule schedule : all_schedules) {
        std::string body = c.body;
        for (auto at = body.find("WHERE"); at != std::string::npos; at = body.find("WHERE"))
          body.replace(at, 5, shared ? "s" : "out");
        if (shared) body = "__shared__ unsigned int s[128]; s[t] = 0; __syncthreads(); " + body;
        const reference::Counters counters = count(body, c.block, schedule);
        const Three got = of(shared ? counters.shared_contention : counters.global_contention);
        CHECK_MESSAGE(got == c.expected, body, " (", std::string(name(schedule)), "): expected ",
                      text(c.expected), ", got ", text(got));
        CHECK(of(shared ? counters.global_contention : counters.shared_contention) ==
              Three{0, 0, 0});
      }
}

TEST_CASE("shared memory: requests, wavefronts, bank conflicts") {
#define WORDS "__shared__ unsigned s[1056]; "
#define WIDE "__shared__ unsigned long long s[128]; "
  check_cases(
      {
          {WORDS "s[t] = 1;", {1, 1, 0}},
          {WORDS "s[31 - t] = 1;", {1, 1, 0}},
          {WORDS "s[t + 7] = 1;", {1, 1, 0}},
          {WORDS "s[2 * t] = 1;", {1, 2, 1}},
          {WORDS "s[4 * t] = 1;", {1, 4, 3}},
          {WORDS "s[3 * t] = 1;", {1, 1, 0}},
          {WORDS "s[32 * t] = 1;", {1, 32, 31}},
          {WORDS "s[33 * t] = 1;", {1, 1, 0}},  // the padded matrix.
          {WORDS "s[32 * (t % 2) + t / 2] = 1;", {1, 2, 1}},
          {WORDS "s[32 * (t & 7)] = 1;", {1, 8, 7}},
          {WORDS "s[0] = 1;", {1, 1, 0}},  // one word: one wavefront.
          {WORDS "((char*)s)[t] = 1;", {1, 1, 0}},
          {WORDS "((short*)s)[t] = 1;", {1, 1, 0}},
          {WORDS "((short*)s)[64 * (t % 4)] = 1;", {1, 4, 3}},
          {WORDS "if (t < 4) s[32 * t] = 1;", {1, 4, 3}},
          {WORDS "s[t] = 1;", {4, 4, 0}, {100, 1, 1}},
          // Three warps of 8, and four lanes on four banks.
          {WORDS "s[8 * t] = 1;", {4, 25, 21}, {100, 1, 1}},
          // Two rows per warp: 8 on a bank.
          {WORDS "s[16 * threadIdx.x + threadIdx.y] = 1;", {2, 16, 14}, {16, 4, 1}},
          {WIDE "s[t] = 1;", {1, 2, 0}},  // half a warp at a time.
          {WIDE "s[2 * t] = 1;", {1, 4, 2}},
          {WIDE "if (t < 16) s[t] = 1;",
           {1, 2, 0}},  // the other half costs as much without a lane.
          {WIDE "if (t == 31) s[t] = 1;", {1, 2, 0}},
          {WIDE "s[0] = 1;", {1, 2, 0}},
          {WIDE "s[t / 2] = 1;", {1, 2, 0}},
          {WIDE "s[16 * (t % 2)] = 1;", {1, 4, 2}},
          {WIDE "s[(t & 1) * 16 + t / 2] = 1;",
           {1, 4, 2}},  // t and t + 1 on one bank, in each half.
          // A quarter at a time.
          {"__shared__ uint4 s[32]; s[t] = make_uint4(1, 2, 3, 4);", {1, 4, 0}},
          {"__shared__ uint4 s[64]; s[2 * t] = make_uint4(1, 2, 3, 4);", {1, 8, 4}},
          {"__shared__ uint4 s[64]; if (t < 8) s[t] = make_uint4(1, 2, 3, 4);", {1, 4, 0}},
          {"__shared__ uint4 s[256]; s[8 * t] = make_uint4(1, 2, 3, 4);", {1, 32, 28}},
          {"__shared__ uint4 s[64]; s[t % 4 * 8 + t / 4] = make_uint4(1, 2, 3, 4);", {1, 16, 12}},
      },
      [](const reference::Counters& c) { return c.shared_store; });
  check_cases(
      {
          {WORDS "s[t] = 0; __syncthreads(); if (s[0]) __trap();", {1, 1, 0}},
          {WORDS "s[t] = 0; __syncthreads(); if (s[t / 2]) __trap();", {1, 1, 0}},
          {WORDS "s[2 * t] = 0; unsigned sum = 0; for (int j = 0; j < 4; ++j) sum += s[2 * t + 64 "
                 "* j]; out[t] = sum;",
           {4, 8, 4}},
          {WORDS "s[t] = 0; s[t] += 1; s[t]++;", {2, 2, 0}},
      },
      [](const reference::Counters& c) { return c.shared_load; });
  // Loads of 8 and 16 bytes, as measured on compute capability 9.0 (docs/counters.md).
#define LOAD2(i)                                                                    \
  "__shared__ uint2 s[64]; s[t] = make_uint2(0, 0); s[t + 32] = make_uint2(0, 0); " \
  "__syncthreads(); const uint2 v = s[" i "]; if (v.x + v.y) __trap();"
#define LOAD4(i)                                                                                \
  "__shared__ uint4 s[64]; s[t] = make_uint4(0, 0, 0, 0); s[t + 32] = make_uint4(0, 0, 0, 0); " \
  "__syncthreads(); const uint4 v = s[" i "]; if (v.x + v.y + v.z + v.w) __trap();"
  check_cases(
      {
          {LOAD2("t"), {1, 2, 0}},
          {LOAD2("0"), {1, 1, 0}},  // neighbours agree: all lanes at once.
          {LOAD2("t / 2"), {1, 1, 0}},
          {LOAD2("t / 16"), {1, 1, 0}},
          {LOAD2("t % 2"), {1, 1, 0}},   // lanes two apart agree.
          {LOAD2("t & ~2"), {1, 2, 1}},  // they do, but 16 elements are spread over 64 words.
          {LOAD2("16 * (t % 2)"), {1, 2, 1}},
          {LOAD2("t % 16"), {1, 2, 0}},  // lanes sixteen apart agree, which does not help.
          {LOAD2("2 * t"), {1, 4, 2}},
          {LOAD4("t"), {1, 4, 0}},
          {LOAD4("0"), {1, 2, 0}},
          {LOAD4("t / 2"), {1, 2, 0}},
          {LOAD4("t & ~1"), {1, 4, 2}},  // neighbours agree, 8 elements are spread over 64 words.
          {LOAD4("t % 2"), {1, 2, 0}},
          {LOAD4("8 * (t % 2)"), {1, 4, 2}},
          {LOAD4("t % 8"), {1, 4, 0}},
          {LOAD4("2 * t"), {1, 8, 4}},
#undef LOAD2
#undef LOAD4
      },
      [](const reference::Counters& c) { return c.shared_load; });
  check_cases(
      {
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[t], 1u);", {1, 1, 0}},
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[32 * (t % 2)], 1u);", {1, 2, 1}},
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[0], 1u);", {1, 1, 0}},
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[0], t);",
           {1, 32, 31}},  // lanes are serialized, unless all add one.
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[0], 1u); atomicAdd(&s[0], 2u);",
           {2, 33, 31}},
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[0], 1u); atomicAdd(&s[0], t);",
           {2, 33, 31}},
          // And no lane uses the result.
          {WORDS "s[t] = 0; __syncthreads(); out[t] = atomicAdd(&s[0], 1u);", {1, 32, 31}},
          {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[32 * (t % 2)], t);", {1, 32, 31}},
          {WORDS "s[t] = 0; __syncthreads(); atomicCAS(&s[t], 0u, t);",
           {1, 2, 0}},  // it reads and it writes.
      },
      [](const reference::Counters& c) { return c.shared_atomic; });
#undef WORDS
#undef WIDE
}

TEST_CASE("active lanes and bytes, for each width") {
  struct Widths {
    const char* body;
    std::uint64_t global_lanes, global_bytes, shared_lanes, shared_bytes;
    double lanes_per_request;  // of all requests.
  };
  for (const Widths& c : {
           Widths{"if (data[t]) __trap();", 32, 32, 0, 0, 32},
           Widths{"if (t < 5 && ((const short*)data)[t]) __trap();", 5, 10, 0, 0, 5},
           Widths{"if (t % 2 && ((const int*)data)[t]) __trap();", 16, 64, 0, 0, 16},
           Widths{"if (t == 3 && ((const double*)data)[t] != 0) __trap();", 1, 8, 0, 0, 1},
           Widths{"const uint4 v = ((const uint4*)data)[t]; if (v.x) __trap();", 32, 512, 0, 0, 32},
           Widths{"__shared__ char s[32]; s[t] = data[t];", 32, 32, 32, 32, 32},
           Widths{"__shared__ short s[32]; if (t < 8) s[t] = ((const short*)data)[t];", 8, 16, 8,
                  16, 8},
           // 32 lanes of the load and 4 of the store: 36 / 2.
           Widths{"__shared__ int s[32]; if (((const int*)data)[t]) __trap(); if (t < 4) s[t] = 1;",
                  32, 128, 4, 16, 18},
           Widths{"__shared__ unsigned long long s[32]; if (t > 29) s[t] = 1;", 0, 0, 2, 16, 2},
           Widths{"__shared__ uint4 s[32]; s[t] = make_uint4(1, 2, 3, 4);", 0, 0, 32, 512, 32},
           // Each branch is a request of its own: 10 + 22 lanes in 2 requests.
           Widths{"if (t < 10) { if (data[t]) __trap(); } else { if (data[t]) __trap(); }", 32, 32,
                  0, 0, 16},
       })
    for (const Schedule schedule : all_schedules) {
      CAPTURE(std::string(c.body));
      const reference::Counters got = count(c.body, {32, 1, 1}, schedule);
      CHECK(got.global_load.lanes == c.global_lanes);
      CHECK(got.global_load.bytes == c.global_bytes);
      CHECK(got.shared_store.lanes == c.shared_lanes);
      CHECK(got.shared_store.bytes == c.shared_bytes);
      CHECK(static_cast<double>(got.lanes()) / static_cast<double>(got.requests()) ==
            c.lanes_per_request);
    }
}

TEST_CASE("the degrees of atomic requests, as a distribution") {
  struct Degrees {
    const char* body;
    const char* expected;
    Dim3 block = {32, 1, 1};
  };
  for (const Degrees& c : {
           Degrees{"atomicAdd(&out[t], 1u);", "1 lanes: 1; "},
           Degrees{"atomicAdd(&out[0], 1u);", "32 lanes: 1; "},
           Degrees{"atomicAdd(&out[t / 8], 1u);", "8 lanes: 1; "},
           Degrees{"atomicAdd(&out[t < 3 ? 0 : t], 1u);", "3 lanes: 1; "},
           Degrees{"for (unsigned j = 1; j <= 32; j *= 2) atomicAdd(&out[t / j], 1u);",
                   "1 lanes: 1; 2 lanes: 1; 4 lanes: 1; 8 lanes: 1; 16 lanes: 1; 32 lanes: 1; "},
           Degrees{"atomicAdd(&out[0], 1u);", "4 lanes: 1; 32 lanes: 3; ", {100, 1, 1}},
           Degrees{"atomicAdd((unsigned long long*)out + t / 16, 1ull);", "16 lanes: 1; "},
           Degrees{"if (t % 2) atomicCAS(&out[t / 4], 0u, 1u);", "2 lanes: 1; "},
       })
    for (const Schedule schedule : all_schedules)
      CHECK_MESSAGE(
          text(count(c.body, c.block, schedule).global_contention.requests_of_degree) == c.expected,
          std::string(c.body));
}

TEST_CASE("each line has its own counters, and they add up to the totals") {
  // Line 3 is the first line of the body.
  // 9: four sectors; then a load and a store of 28.
  const std::string body =
      "__shared__ unsigned s[64];\n"               // 3
      "  s[2 * t % 64] = 0;\n"                     // 4: 32 lanes on 16 banks, twice
      "  __syncthreads();\n"                       // 5
      "  for (unsigned i = t; i < 96; i += 32)\n"  // 6
      "    atomicAdd(&s[data[i]], 1u);\n"  // 7: three rounds of a load and an atomic on s[0]
      "  __syncthreads();\n"               // 8
      "  if (t < 4) out[8 * t] = s[t]; else out[t + 64] += t;\n"
      "  __syncthreads();";  // 10
  for (const Schedule schedule : all_schedules) {
    const Observation seen = observe(body, {32, 1, 1}, schedule, {3, 1, 1});
    std::map<int, reference::Traffic> lines;
    reference::Traffic total;
    for (const reference::LineCounters& line : seen.lines) {
      CHECK(lines.count(line.line) == 0);
      lines[line.line] = line.counters;
      total += line.counters;
    }
    CHECK(lines.size() == 6);
    CHECK(of(lines[4].shared_store) == Three{3, 6, 3});
    CHECK(lines[5].barriers == 3);
    CHECK(lines[5].requests() == 0);
    CHECK(of(lines[7].global_load) == Three{9, 9, 288});
    CHECK(of(lines[7].shared_atomic) == Three{9, 9, 0});
    CHECK(of(lines[7].shared_contention) == Three{288, 288, 32});
    CHECK(lines[8].barriers == 3);
    CHECK(of(lines[9].shared_load) == Three{3, 3, 0});
    CHECK(of(lines[9].global_store) == Three{6, 3 * (4 + 4), 3 * (16 + 112)});
    CHECK(of(lines[9].global_load) == Three{3, 3 * 4, 3 * 112});
    CHECK(lines[9].lanes() == 3 * (4 + 4 + 28 + 28));
    CHECK(lines[10].barriers == 3);
    const reference::Traffic& all = seen.counters;
    CHECK(all.barriers == 9);
    CHECK(all.requests() == total.requests());
    CHECK(all.lanes() == total.lanes());
    CHECK(of(all.global_store) == of(total.global_store));
    CHECK(of(all.shared_contention) == of(total.shared_contention));
  }
}

TEST_CASE("updates of each element") {
  for (const Schedule schedule : all_schedules) {
    // With two blocks, s[t % 4] gets 8 updates per block, and s[0] one more from each second lane.
    // out[7] gets the values of two lanes per block.
    const Observation seen = observe(
        "__shared__ unsigned s[8]; if (t < 8) s[t] = 0; __syncthreads(); atomicAdd(&s[t % 4], 1u); "
        "if (t % 2) atomicSub(&s[0], 1u); "
        "if (t > 29) atomicAdd(&out[7], s[t % 8]); if (t == 1) atomicAdd((unsigned long "
        "long*)&out[10], 1ull);",
        {32, 1, 1}, schedule, {2, 1, 1});
    REQUIRE(seen.pressure.size() == 2);
    const reference::AtomicPressure &s = seen.pressure[0].shared ? seen.pressure[0]
                                                                 : seen.pressure[1],
                                    &out = seen.pressure[0].shared ? seen.pressure[1]
                                                                   : seen.pressure[0];
    CHECK(s.shared);
    CHECK(s.variable == "s");
    CHECK(s.updates == 96);
    CHECK(s.elements == 4);
    CHECK(s.uncounted == 0);
    REQUIRE(s.top.size() == 4);
    CHECK(s.top[0].index == 0);
    CHECK(s.top[0].updates == 16 + 32);
    for (std::uint64_t i = 1; i < 4; ++i) {
      CHECK(s.top[i].index == i);
      CHECK(s.top[i].updates == 16);
    }
    CHECK_FALSE(out.shared);
    CHECK(out.variable == "out");
    REQUIRE(out.top.size() == 2);
    CHECK(out.top[0].index == 7);
    CHECK(out.top[0].updates == 4);
    CHECK(out.top[1].index == 10);
    CHECK(out.top[1].updates == 2);
  }
}

TEST_CASE("updates of each element, with the element width taken from the accesses") {
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run("__device__ unsigned long long wide[40]; struct Mixed { unsigned long long sum; "
            "unsigned low, high; }; __device__ Mixed mixed[2];\n"
            "__global__ void k() {\n"
            "  extern __shared__ unsigned long long s[];\n"
            "  s[threadIdx.x] = 0;\n"
            "  __syncthreads();\n"
            "  atomicAdd(&s[threadIdx.x % 2 + 30], 1ull), atomicAdd(&wide[threadIdx.x % 2 + 37], "
            "1ull);\n"
            "  if (threadIdx.x == 5) atomicAdd(&mixed[1].sum, 1ull);\n"
            "  if (threadIdx.x == 6) atomicAdd(&mixed[1].high, 1u);\n"
            "  unsigned long long* heap = (unsigned long long*)malloc(32);\n"
            "  if (heap) heap[3] = 0, atomicAdd(&heap[3], 2ull);\n"
            "  free(heap);\n"
            "}",
            {.grid = {1},
             .block = {32},
             .arguments = {},
             .dynamic_shared_bytes = 256,
             .options = under(schedule)});
    std::map<std::string, std::map<std::uint64_t, std::uint64_t>> seen;
    for (const reference::AtomicPressure& of : outcome.last().pressure) {
      CHECK(of.elements == of.top.size());
      for (const auto& element : of.top) seen[of.variable][element.index] += element.updates;
    }
    const std::map<std::uint64_t, std::uint64_t> s{{30, 16}, {31, 16}}, wide{{37, 16}, {38, 16}},
        heap{{3, 32}};
    // If both widths occur, the narrower counts.
    const std::map<std::uint64_t, std::uint64_t> words{{4, 1}, {7, 1}};
    CHECK(seen == decltype(seen){{"s", s}, {"wide", wide}, {"mixed", words}, {"malloc@9", heap}});
  }
}

TEST_CASE("dynamic shared memory has banks too") {
  const Outcome outcome =
      run("__global__ void k() {\n  extern __shared__ unsigned s[];\n  s[2 * threadIdx.x] = 1;\n}",
          {.grid = {1}, .block = {32}, .arguments = {}, .dynamic_shared_bytes = 256});
  CHECK(of(outcome.last().counters.shared_store) == Three{1, 2, 1});
}

TEST_CASE("shapes and barriers") {
  for (const Schedule schedule : all_schedules) {
    const reference::Counters c = count(
        "__shared__ int s[10]; s[0] = 1; __syncthreads(); for (int j = 0; j < 3; ++j) "
        "__syncthreads();",
        {10, 10, 1}, schedule, {3, 2, 1});
    CHECK(c.blocks == 6);
    CHECK(c.threads == 600);
    CHECK(c.block_size == 100);
    CHECK(c.static_shared_bytes == 40);
    CHECK(c.barriers == 6 * 4 * 4);
    CHECK(c.shared_store.requests == 6 * 4);
  }
}

TEST_CASE("the loads of each block's busiest warp") {
  for (const Schedule schedule : all_schedules) {
    // In each of three blocks, one thread reads 10 bytes, and 5 more in the second block. The other
    // warp reads one byte per lane, once.
    const reference::Counters c = count(
        "__shared__ int s[64]; s[t] = t; __syncthreads(); if (s[t] != (int)t) __trap();"
        " if (t == 0) for (unsigned i = 0; i < (blockIdx.x == 1 ? 15 : 10); ++i) if (data[i]) "
        "__trap();"
        " if (t >= 32 && data[t]) __trap();",
        {64, 1, 1}, schedule, {3, 1, 1});
    CHECK(c.global_load.requests == 10 + 15 + 10 + 3);
    CHECK(c.busiest.of_blocks.global == 10 + 15 + 10);
    CHECK(c.busiest.of_blocks.other_sectors == 3);
    CHECK(c.busiest.of_blocks.shared == 3);
    CHECK(c.busiest.most.global == 15);
    CHECK(c.busiest.most.other_sectors == 1);
    CHECK(c.busiest.most.shared == 1);
    CHECK(c.repeated_loads == 0);
  }
}

TEST_CASE("a repeated load is counted again, but not waited for") {
  for (const Schedule schedule : all_schedules) {
    const reference::Counters c = count(
        "if (data[t] == 3) __trap(); if (data[t] == 5) __trap(); if (data[t + 32]) __trap(); if "
        "(data[t]) __trap();",
        {32, 1, 1}, schedule);
    CHECK(c.global_load.requests == 4);
    CHECK(c.repeated_loads == 1);
    CHECK(c.busiest.most.global == 3);
    CHECK(c.busiest.most.other_sectors == 3);
    // Each load of a volatile variable counts.
    CHECK(count("const volatile char* v = data; if (v[t] + v[t] + v[t]) __trap();", {32, 1, 1},
                schedule)
              .busiest.most.global == 3);
  }
}

TEST_CASE("input reads: sectors, and the bytes of the busiest thread") {
  for (const Schedule schedule : all_schedules) {
    // One thread of the second block reads 16 x 16 bytes, the others four bytes each. Other memory
    // does not count.
    const std::string body =
        "if (blockIdx.x == 1 && t == 5) { for (int i = 0; i < 16; ++i) { const uint4 v = "
        "reinterpret_cast<const uint4*>(data)[i]; if (v.x | v.y | v.z | v.w) __trap(); } }"
        " else if (reinterpret_cast<const unsigned*>(data)[t]) __trap();";
    const reference::InputReads one = count(body, {64, 1, 1}, schedule, {3, 1, 1}).busiest.input;
    CHECK(one.bytes_of_thread == 256);
    CHECK(one.sectors == 3 * 8 + 16);
    const reference::InputReads decoy =
        count(body +
                  " __shared__ unsigned s[64]; s[t] = out[t]; for (int i = 0; i < 64; ++i) if "
                  "(s[t] + out[i]) __trap();",
              {64, 1, 1}, schedule, {3, 1, 1})
            .busiest.input;
    CHECK(decoy.bytes_of_thread == one.bytes_of_thread);
    CHECK(decoy.sectors == one.sectors);
    // A load of the same bytes counts only if another load came between.
    CHECK(count("if (data[t] == 3) __trap(); if (data[t] == 5) __trap();", {32, 1, 1}, schedule)
              .busiest.input.bytes_of_thread == 1);
    CHECK(
        count("if (data[t] == 3) __trap(); if (data[t + 32]) __trap(); if (data[t] == 5) __trap();",
              {32, 1, 1}, schedule)
            .busiest.input.bytes_of_thread == 3);
    // Each lane in a sector of its own.
    CHECK(count("if (data[64 * t]) __trap();", {32, 1, 1}, schedule).busiest.input.sectors == 32);
    // All loads count, by the lanes that make them.
    CHECK(count("if (data[t] == 3) __trap(); if (t < 5 && data[t] == 5) __trap();", {64, 1, 1},
                schedule, {2, 1, 1})
              .busiest.input.lanes == 2 * (64 + 5));
    // Threads are counted by their position in the block, separately per block, not per warp.
    CHECK(count("if (t == 40 && data[blockIdx.x]) __trap();", {64, 1, 1}, schedule, {8, 1, 1})
              .busiest.input.bytes_of_thread == 1);
  }
}

TEST_CASE("input bytes that other threads copied to shared memory count for the reading thread") {
  const std::string copy = "__shared__ int s[64]; s[t] = 0; ",
                    read =
                        "__syncthreads(); if (t == 3) for (int i = 0; i < 64; ++i) "
                        "if (s[i] == 77) __trap();";
  for (const Schedule schedule : all_schedules) {
    const auto input = [&](const std::string& body) {
      return count(body, {64, 1, 1}, schedule, {2, 1, 1}).busiest.input;
    };
    for (const char* store : {"s[t] = data[t] - 3;", "const char c = data[t]; s[t] = c / 4 + 7;",
                              "atomicExch(&s[t], (int)data[t]);", "atomicAdd(&s[t], (int)data[t]);",
                              "memcpy(&s[t], &data[t], 1);", "if (data[t] != 9) s[t] = data[t];"}) {
      CAPTURE(std::string{store});
      const reference::InputReads copied = input(copy + store + read);
      CHECK(copied.copied_in_block == 63 * 4);  // all but its own
      CHECK(copied.copied_in_grid == 0);
      CHECK(copied.bytes_of_busy_threads >= 2 * 63 * 4);
      CHECK(copied.bytes_of_busy_threads < 2 * (63 * 4 + 8));
    }
    // A copy of a copy is a copy. A sum, a count by a branch and the thread's own value are not.
    CHECK(input("__shared__ int r[64]; " + copy +
                "r[t] = data[t]; __syncthreads(); s[t] = r[63 - t];" + read)
              .copied_in_block == 4 + 63 * 4);
    CHECK(input("__shared__ int r[64]; " + copy +
                "r[t] = data[t]; __syncthreads(); if (t < 40) s[t] = r[(t + 9) & 63];" + read)
              .copied_in_block == 4 + 39 * 4);
    // A write to constant memory is no copy.
    CHECK(input("static const int c[64] = {1}; ((volatile int*)c)[t] = data[t]; __syncthreads(); "
                "if (t == 3) for (int i = 0; i < 64; ++i) "
                "if (((const volatile int*)c)[i] == 77) __trap();")
              .copied_in_block == 0);
    for (const char* store : {"if (data[t] > 3) s[t] = 1;", "s[data[t] & 63] = 1;"}) {
      CAPTURE(std::string{store});
      CHECK(input(copy + store + read).copied_in_block == 0);
    }
    CHECK(input(copy + "__syncthreads(); atomicAdd(&s[t / 2], (int)data[t]);" + read)
              .copied_in_block == 0);
    CHECK(input(copy + "s[t] = data[t]; if (s[t] == 77) __trap();").copied_in_block == 0);
  }
}

TEST_CASE("writes to shared memory that reach global memory") {
  for (const Schedule schedule : all_schedules) {
    const auto used = [&](const std::string& body) {
      return count(body, {64, 1, 1}, schedule, {2, 1, 1}).busiest.used_shared_writes;
    };
    CHECK(used("__shared__ unsigned s[64]; s[t] = t; out[t] = s[t];") == 128);
    CHECK(used("__shared__ unsigned s[64], r[64]; s[t] = t; __syncthreads(); r[t] = s[63 - t]; "
               "__syncthreads(); out[t] = r[63 - t] + 1;") == 256);
    CHECK(used("__shared__ volatile unsigned s[64]; s[t] = t; out[t] = 1;") == 0);
  }
}

TEST_CASE("an operand that is read straight from memory is read once") {
  struct Row {
    const char* body;
    std::uint64_t loads, stores, shared_loads;
  };
  const std::string before =
      "const int* d = (const int*)data; const int* __restrict__ r = d; int* p = (int*)out; const "
      "unsigned int& ref = ((const unsigned int*)data)[t];"
      " const volatile int* vol = d; const int(*rows)[4] = (const int(*)[4])data; const long long* "
      "wide = (const long long*)data;"
      " struct Pair { int first; unsigned int second; }; const Pair* pairs = (const Pair*)data; "
      "unsigned int x = t; int y = (int)t; ";
  const std::string prelude = "#define SHIFTED(x, n) ((x) << (n))\n";
  for (const Row& row : {
           // Shifts: the distance, the value, both.
           Row{"out[t] = 1u << (d[t] & 3);", 1, 1, 0},
           {"out[t] = 1u << d[t];", 1, 1, 0},
           {"out[t] = d[t] << t;", 1, 1, 0},
           {"out[t] = d[t] >> r[t + 32];", 2, 1, 0},
           {"out[t] = 1u << ref;", 1, 1, 0},
           {"out[t] = ref >> t;", 1, 1, 0},
           {"out[t] = 1u << vol[t];", 1, 1, 0},
           {"out[t] = vol[t] >> vol[t + 32];", 2, 1, 0},
           {"out[t] = 1u << rows[t][t & 3];", 1, 1, 0},
           {"out[t] = 1u << pairs[t].second;", 1, 1, 0},
           {"out[t] = pairs[t].second >> pairs[t].first;", 2, 1, 0},
           {"out[t] = 1u << (t < 40 ? d[t] : r[t]);", 1, 1, 0},
           {"out[t] = (unsigned)(wide[t] << wide[t + 32]);", 2, 1, 0},
           {"out[t] = 1u << d[d[t]];", 2, 1, 0},
           {"out[t] = 1u << d[t] << d[t + 32] >> r[t];", 3, 1, 0},
           {"out[t] = SHIFTED(d[t], r[t]);", 2, 1, 0},
           {"out[t] = (1u << d[t]) + (2u >> d[t + 32]);", 2, 1, 0},
           {"if (d[t] >> r[t] > 4) out[t] = 1;", 2, 0, 0},
           {"if (t < 64 && x < 99 && x >> d[t] > 400) out[t] = 1;", 1, 0, 0},
           {"x <<= d[t]; out[t] = x;", 1, 1, 0},
           {"y >>= ref; out[t] = y;", 1, 1, 0},
           {"out[t] <<= d[t];", 2, 1, 0},
           {"out[d[t] + t] >>= 1;", 2, 1, 0},
           {"out[d[t] + t] <<= d[t + 32];", 3, 1, 0},
           {"__shared__ int s[64]; s[t] = t; __syncwarp(); out[t] = 1u << s[t];", 0, 1, 1},
           {"__shared__ int s[64]; s[t] = t; __syncwarp(); s[t] <<= s[t ^ 1]; out[t] = 1;", 0, 1,
            2},
           // Divisions and comparisons.
           {"out[t] = 100 / (d[t] | 1);", 1, 1, 0},
           {"out[t] = d[t] / 10;", 1, 1, 0},
           {"out[t] = d[t] % 8;", 1, 1, 0},
           {"out[t] = d[t] / (r[t + 32] | 1);", 2, 1, 0},
           {"if (d[t] < r[t + 32]) out[t] = 1;", 2, 0, 0},
           {"x /= d[t] | 1; out[t] = x;", 1, 1, 0},
           {"x %= ref | 1; out[t] = x;", 1, 1, 0},
           // Compound assignments: the index, a pointer to the element.
           {"out[d[t] + t] += 1;", 2, 1, 0},
           {"out[r[t] + t] -= d[t];", 3, 1, 0},
           {"out[d[t] + t]++;", 2, 1, 0},
           {"++out[d[t] + t];", 2, 1, 0},
           {"out[d[t + 32] + t] |= 1u << d[t];", 3, 1, 0},
           {"p[d[t] + t] *= 3;", 2, 1, 0},
           {"((float*)out)[d[t] + t] += 1.5f;", 2, 1, 0},
           {"((unsigned char*)out)[d[t] + t] ^= 1;", 2, 1, 0},
           {"*(p + d[t] + t) %= 3;", 2, 1, 0},
           {"((volatile unsigned*)out)[d[t] + t] += 1;", 2, 1, 0},
           {"out[wide[t] + t] /= 2;", 2, 1, 0},
           {"__shared__ int i; if (t == 0) i = 0; __syncwarp(); out[i + t] += 1;", 1, 1, 1},
           {"__shared__ int s[64]; s[t] = t; __syncwarp(); s[s[t]] += 1; out[t] = 1;", 0, 1, 2},
           {"__shared__ unsigned* q; if (t == 0) q = out; __syncwarp(); q[t] += 1;", 1, 1, 1},
           {"atomicAdd(&out[d[t]], 1u << (d[t + 32] & 3));", 2, 0, 0},
           {"atomicOr(&out[d[t] >> 5], 1u << (r[t + 32] & 31));", 2, 0, 0},
       }) {
    for (const Schedule schedule : all_schedules) {
      const reference::Counters c =
          count(before + row.body, {32, 1, 1}, schedule, {1, 1, 1}, prelude);
      CHECK_MESSAGE(c.global_load.requests == row.loads, std::string(row.body), " (",
                    std::string(name(schedule)), ")");
      CHECK_MESSAGE(c.global_store.requests == row.stores, std::string(row.body), " (",
                    std::string(name(schedule)), ")");
      CHECK_MESSAGE(c.shared_load.requests == row.shared_loads, std::string(row.body), " (",
                    std::string(name(schedule)), ")");
    }
  }
}

TEST_CASE("rounds of a loop over neighbouring elements, whatever reads or writes an element") {
  struct Row {
    const char* body;
    std::uint64_t loads, stores;
  };
  const std::string prelude =
      "struct Byte { unsigned char v; };\n"
      "struct Triple { unsigned int a, b, c; };\n"
      "__device__ __attribute__((noipa)) unsigned int value(Byte b) { return b.v; }\n"
      "__device__ __attribute__((noipa)) Byte byte(unsigned v) { return {(unsigned char)v}; }\n";
  const std::string before = "for (unsigned int i = 3 * t; i < 3 * t + 3; ++i) {\n";
  // Lanes diverge after the access, and some reach the next one by a shorter path.
  const std::string behind = "\nif ((t + i) % 3 == 0) atomicAdd(&out[2047], 1u); }";
  for (const Row& row : {
           Row{"atomicAdd(&out[2046], (unsigned int)data[i]);", 3, 0},
           // Only a check in front of the access sees it.
           {"atomicAdd(&out[2046], value(*(const Byte*)&data[i]));", 3, 0},
           {"*((Byte*)out + i) = byte(i);", 0, 3},
           {"if (value(*(const Byte*)&data[i]) != 0) out[0] = i;", 3, 0},
           {"const Triple s = *((const Triple*)data + i); if (s.a + s.b + s.c) out[0] = i;", 9, 0},
           {"Triple s; s.a = s.b = s.c = i; *((Triple*)out + i) = s;", 0, 9},
           {"memset(out + 2 * i, 0, 8);", 0, 6},
           {"memcpy(out + 2 * i, data + 8 * i, 8);", 6, 6},
       }) {
    for (const Schedule schedule : all_schedules) {
      const reference::Counters c =
          count(before + row.body + behind, {32, 1, 1}, schedule, {1, 1, 1}, prelude);
      const std::string at = std::string(row.body) + " (" + std::string(name(schedule)) + ")";
      CHECK_MESSAGE(c.global_load.requests == row.loads, at);
      CHECK_MESSAGE(c.global_store.requests == row.stores, at);
    }
  }
}

TEST_CASE("an atomic in global memory ends a chain of loads if its result is used") {
  for (const Schedule schedule : all_schedules) {
    // The longest chain of a thread that reads six elements and does `between` before the last one.
    const auto chain = [&](const std::string& between) {
      return count("if (t == 0) { for (int i = 0; i < 5; ++i) if (data[i]) __trap(); " + between +
                       " if (data[32]) __trap(); }",
                   {64, 1, 1}, schedule)
          .busiest.most.global;
    };
    CHECK(chain("") == 6);
    for (const std::string unused :
         {"atomicAdd(&out[7], 1u);", "atomicInc(&out[7], 9u);", "atomicMax(&out[7], 9u);"}) {
      CHECK_MESSAGE(chain(unused) == 6, unused);
      CHECK_MESSAGE(chain("out[9] = " + unused) == 5, unused);
    }
    CHECK(chain("out[9] = atomicCAS(&out[7], 0u, 1u);") == 6);  // a loop of these is an update.
    CHECK(chain("out[9] = atomicExch(&out[7], 1u);") == 6);     // this may be a lock.
    // The result is not an index or count.
    CHECK(chain("out[9] = atomicAdd((float*)&out[7], 1.0f);") == 6);
  }
}

TEST_CASE("local variables cause no global or shared traffic") {
  const reference::Counters c = count(
      "volatile int a[8]; for (int j = 0; j < 8; ++j) a[j] = t; if (a[3] != (int)t) __trap();",
      {32, 1, 1}, Schedule::lockstep);
  CHECK(of(c.global_load) == Three{0, 0, 0});
  CHECK(of(c.global_store) == Three{0, 0, 0});
  CHECK(of(c.shared_store) == Three{0, 0, 0});
}

TEST_CASE("a local array that is indexed as the kernel runs: a line for each word of all lanes") {
  struct Case {
    std::string array, index;  // read from the data: `zero`
    std::uint64_t sectors;
  };
  const auto check = [](const Case& each, const std::string& access, const std::string& prelude) {
    const reference::Counters c =
        count(each.array + " a[64];\n  unsigned int zero = data[t];\n  " + access +
                  " = 1;\n  zero = data[t + 32];\n  atomicAdd(&out[t], " + access + " == 3);",
              {32, 1, 1}, Schedule::lockstep, {2, 1, 1}, prelude);
    CAPTURE(each.array + "[" + each.index + "]");
    for (const reference::LocalTraffic& of : {c.local_load, c.local_store}) {
      CHECK(of.requests == 2);  // one per block
      CHECK(of.sectors == 2 * each.sectors);
    }
    CHECK(c.busiest.most.local == 1);
    CHECK(c.busiest.of_blocks.local == 2);
  };
  for (const Case& each : {Case{"unsigned int", "zero", 4},
                           {"unsigned int", "zero + t / 8", 4},
                           {"unsigned int", "zero + t", 32},
                           {"unsigned int", "zero + t / 2", 16},
                           {"unsigned int", "zero + t % 7", 28},
                           {"unsigned char", "zero + 3", 4},
                           {"unsigned char", "zero + t", 8},
                           {"unsigned long long", "zero", 8},
                           {"unsigned long long", "zero + t % 2", 16}}) {
    check(each, "a[" + each.index + "]", {});
    check(each, "at(a, " + each.index + ")",
          "__device__ " + each.array + "& at(" + each.array +
              " (&of)[64], unsigned int k) { return of[k]; }\n");
  }
}

TEST_CASE("a local array that a GPU keeps in registers is not local memory") {
  const auto local = [](const std::string& array, const std::string& more) {
    const std::string loops = array +
                              " = {};\n"
                              "  for (unsigned int k = 0; k < 7; ++k) a[k] += data[t] == k;\n"
                              "  for (unsigned int k = 0; k < 7; ++k) out[t] += a[k];\n";
    const reference::Counters c = count(loops + more, {32, 1, 1}, Schedule::lockstep);
    CHECK((c.local_load.requests > 0) == (c.busiest.most.local > 0));
    return c.local_load.requests + c.local_store.requests;
  };
  const std::string indexed = "  out[t] += a[data[t]];\n";
  CHECK(local("unsigned int a[26]", {}) == 0);
  CHECK(local("unsigned int a[26]", indexed) > 7);
  // nvcc compares the index with seven elements, unless these have one byte or eight.
  CHECK(local("unsigned int a[7]", indexed) == 0);
  CHECK(local("float a[7]", indexed) == 0);
  CHECK(local("unsigned char a[7]", indexed) > 7);
  CHECK(local("unsigned long long a[7]", indexed) > 7);
}
