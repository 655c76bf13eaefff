// The counters of memory traffic against values worked out by hand: a sector is 32 bytes, a warp 32 threads, shared memory
// has 32 banks of 4 bytes. Buffers begin on a 256-byte boundary.
#include <doctest/doctest.h>

#include <tuple>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

using Three = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Three of(const reference::GlobalTraffic& t) { return {t.requests, t.sectors, t.bytes}; }
Three of(const reference::SharedTraffic& t) { return {t.requests, t.wavefronts, t.bank_conflicts}; }
Three of(const reference::AtomicContention& t) { return {t.updates, t.degree_sum(), t.degree_max()}; }
std::string text(const Three& t) {
  return std::to_string(std::get<0>(t)) + ", " + std::to_string(std::get<1>(t)) + ", " + std::to_string(std::get<2>(t));
}

// `body` sees t (the thread's number), data (8 KiB of zeroes) and out (8 KiB).
reference::Counters count(const std::string& body, Dim3 block, Schedule schedule, Dim3 grid = {1, 1, 1}) {
  const std::string source = "__global__ void k(const char* data, unsigned int* out) {\n"
                             "  const unsigned int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n  " + body + "\n}";
  const Outcome outcome = run(source, {.grid = grid, .block = block, .arguments = {in("data", std::string(8192, '\0')), out("out", 2048)},
                                       .options = under(schedule)});
  CHECK(outcome.last().ending == Ending::completed);
  return outcome.last().counters;
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
      CHECK_MESSAGE(got == c.expected, std::string(c.body), " (", std::string(name(schedule)), "): expected ", text(c.expected), ", got ", text(got));
    }
}

}  // namespace

TEST_CASE("global loads: requests, sectors, bytes") {
  check_cases({
      // widths, coalesced
      {"if (data[t]) __trap();", {1, 1, 32}},
      {"if (((const short*)data)[t]) __trap();", {1, 2, 64}},
      {"if (((const int*)data)[t]) __trap();", {1, 4, 128}},
      {"if (((const double*)data)[t] != 0) __trap();", {1, 8, 256}},
      {"const uint4 v = ((const uint4*)data)[t]; if (v.x + v.y + v.z + v.w) __trap();", {1, 16, 512}},
      {"const uint2 v = ((const uint2*)data)[t]; if (v.y) __trap();", {1, 8, 256}},
      // strides
      {"if (((const int*)data)[2 * t]) __trap();", {1, 8, 128}},
      {"if (((const int*)data)[8 * t]) __trap();", {1, 32, 128}},
      {"if (((const int*)data)[32 * t]) __trap();", {1, 32, 128}},
      {"if (data[32 * t]) __trap();", {1, 32, 32}},
      {"if (data[8 * t]) __trap();", {1, 8, 32}},
      // one address for all; a permutation costs what the identity costs
      {"if (((const int*)data)[5]) __trap();", {1, 1, 128}},
      {"if (((const int*)data)[31 - t]) __trap();", {1, 4, 128}},
      {"if (((const int*)data)[t ^ 21]) __trap();", {1, 4, 128}},
      // off a sector's boundary
      {"if (data[t + 16]) __trap();", {1, 2, 32}},
      {"if (((const int*)data)[t + 1]) __trap();", {1, 5, 128}},
      {"if (((const int*)data)[t + 8]) __trap();", {1, 4, 128}},
      {"if (*(const int*)(data + 4 * t + 2)) __trap();", {1, 5, 128}},   // misaligned: also a finding
      {"if (*(const int*)(data + 32 * t + 30)) __trap();", {1, 33, 128}},  // each word in two sectors, 31 of them shared
      // some of the lanes
      {"if (t % 2 && ((const int*)data)[t]) __trap();", {1, 4, 64}},
      {"if (t < 8 && ((const int*)data)[t]) __trap();", {1, 1, 32}},
      {"if (t == 31 && ((const int*)data)[t]) __trap();", {1, 1, 4}},
      {"if (t > 99 && data[t]) __trap();", {0, 0, 0}},
      // several times
      {"for (int j = 0; j < 3; ++j) if (((const int*)data)[32 * j + t]) __trap();", {3, 12, 384}},
      {"for (unsigned j = 0; j <= t % 4; ++j) if (((const int*)data)[32 * j + t]) __trap();", {4, 16, 320}},
      {"if (t < 16) { if (data[t]) __trap(); } else { if (data[t]) __trap(); }", {2, 2, 32}},
      // partial warps and blocks of two and three dimensions
      {"if (((const int*)data)[t]) __trap();", {4, 13, 400}, {100, 1, 1}},
      {"if (data[t]) __trap();", {1, 1, 4}, {4, 1, 1}},
      {"if (((const int*)data)[threadIdx.y * 16 + threadIdx.x]) __trap();", {2, 8, 256}, {16, 4, 1}},
      {"if (((const int*)data)[threadIdx.x * 4 + threadIdx.y]) __trap();", {2, 16, 256}, {16, 4, 1}},
      {"if (((const int*)data)[t]) __trap();", {2, 6, 192}, {4, 4, 3}},
  }, [](const reference::Counters& c) { return c.global_load; });
}

TEST_CASE("global stores and atomics") {
  check_cases({
      {"out[t] = t;", {1, 4, 128}},
      {"((char*)out)[t] = t;", {1, 1, 32}},
      {"((unsigned long long*)out)[t] = t;", {1, 8, 256}},
      {"((uint4*)out)[t] = make_uint4(t, t, t, t);", {1, 16, 512}},
      {"((uint4*)out)[t] = ((const uint4*)data)[t];", {1, 16, 512}},
      {"out[16 * t] = t;", {4, 100, 400}, {100, 1, 1}},
      {"out[t] += 1;", {1, 4, 128}},
  }, [](const reference::Counters& c) { return c.global_store; });
  check_cases({
      {"atomicAdd(&out[t], 1u);", {1, 4, 128}},
      {"atomicAdd(out, 1u);", {1, 1, 128}},
      {"atomicAdd((unsigned long long*)out + t, 1ull);", {1, 8, 256}},
      {"atomicCAS(&out[8 * t], 0u, 1u);", {4, 100, 400}, {100, 1, 1}},
      {"out[t] += 1;", {0, 0, 0}},
  }, [](const reference::Counters& c) { return c.global_atomic; });
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
        for (auto at = body.find("WHERE"); at != std::string::npos; at = body.find("WHERE")) body.replace(at, 5, shared ? "s" : "out");
        if (shared) body = "__shared__ unsigned int s[128]; s[t] = 0; __syncthreads(); " + body;
        const reference::Counters counters = count(body, c.block, schedule);
        const Three got = of(shared ? counters.shared_contention : counters.global_contention);
        CHECK_MESSAGE(got == c.expected, body, " (", std::string(name(schedule)), "): expected ", text(c.expected), ", got ", text(got));
        CHECK(of(shared ? counters.global_contention : counters.shared_contention) == Three{0, 0, 0});
      }
}

TEST_CASE("shared memory: requests, wavefronts, bank conflicts") {
#define WORDS "__shared__ unsigned s[1056]; "
#define WIDE "__shared__ unsigned long long s[128]; "
  check_cases({
      {WORDS "s[t] = 1;", {1, 1, 0}},
      {WORDS "s[31 - t] = 1;", {1, 1, 0}},
      {WORDS "s[t + 7] = 1;", {1, 1, 0}},
      {WORDS "s[2 * t] = 1;", {1, 2, 1}},
      {WORDS "s[4 * t] = 1;", {1, 4, 3}},
      {WORDS "s[3 * t] = 1;", {1, 1, 0}},
      {WORDS "s[32 * t] = 1;", {1, 32, 31}},
      {WORDS "s[33 * t] = 1;", {1, 1, 0}},  // the padded matrix
      {WORDS "s[32 * (t % 2) + t / 2] = 1;", {1, 2, 1}},
      {WORDS "s[32 * (t & 7)] = 1;", {1, 8, 7}},
      {WORDS "s[0] = 1;", {1, 1, 0}},       // one word: one wavefront
      {WORDS "((char*)s)[t] = 1;", {1, 1, 0}},
      {WORDS "((short*)s)[t] = 1;", {1, 1, 0}},
      {WORDS "((short*)s)[64 * (t % 4)] = 1;", {1, 4, 3}},
      {WORDS "if (t < 4) s[32 * t] = 1;", {1, 4, 3}},
      {WORDS "s[t] = 1;", {4, 4, 0}, {100, 1, 1}},
      {WORDS "s[8 * t] = 1;", {4, 25, 21}, {100, 1, 1}},  // three warps of 8, and four lanes on four banks
      {WORDS "s[16 * threadIdx.x + threadIdx.y] = 1;", {2, 16, 14}, {16, 4, 1}},  // two rows a warp: 8 on a bank
      {WIDE "s[t] = 1;", {1, 2, 0}},        // half a warp at a time
      {WIDE "s[2 * t] = 1;", {1, 4, 2}},
      {WIDE "if (t < 16) s[t] = 1;", {1, 1, 0}},
      {"__shared__ uint4 s[32]; s[t] = make_uint4(1, 2, 3, 4);", {1, 4, 0}},  // a quarter at a time
      {"__shared__ uint4 s[64]; s[2 * t] = make_uint4(1, 2, 3, 4);", {1, 8, 4}},
  }, [](const reference::Counters& c) { return c.shared_store; });
  check_cases({
      {WORDS "s[t] = 0; __syncthreads(); if (s[0]) __trap();", {1, 1, 0}},
      {WORDS "s[t] = 0; __syncthreads(); if (s[t / 2]) __trap();", {1, 1, 0}},
      {WORDS "s[2 * t] = 0; unsigned sum = 0; for (int j = 0; j < 4; ++j) sum += s[2 * t + 64 * j]; out[t] = sum;", {4, 8, 4}},
      {WORDS "s[t] = 0; s[t] += 1; s[t]++;", {2, 2, 0}},
  }, [](const reference::Counters& c) { return c.shared_load; });
  check_cases({
      {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[t], 1u);", {1, 1, 0}},
      {WORDS "s[t] = 0; __syncthreads(); atomicAdd(&s[32 * (t % 2)], 1u);", {1, 2, 1}},
  }, [](const reference::Counters& c) { return c.shared_atomic; });
#undef WORDS
#undef WIDE
}

TEST_CASE("dynamic shared memory has banks too") {
  const Outcome outcome = run("__global__ void k() {\n  extern __shared__ unsigned s[];\n  s[2 * threadIdx.x] = 1;\n}",
                              {.grid = {1}, .block = {32}, .arguments = {}, .dynamic_shared_bytes = 256});
  CHECK(of(outcome.last().counters.shared_store) == Three{1, 2, 1});
}

TEST_CASE("shapes and barriers") {
  for (const Schedule schedule : all_schedules) {
    const reference::Counters c = count("__shared__ int s[10]; s[0] = 1; __syncthreads(); for (int j = 0; j < 3; ++j) __syncthreads();", {10, 10, 1}, schedule, {3, 2, 1});
    CHECK(c.blocks == 6);
    CHECK(c.threads == 600);
    CHECK(c.block_size == 100);
    CHECK(c.static_shared_bytes == 40);
    CHECK(c.barriers == 6 * 4 * 4);
    CHECK(c.shared_store.requests == 6 * 4);
  }
}

TEST_CASE("local variables are no traffic") {
  const reference::Counters c = count("volatile int a[8]; for (int j = 0; j < 8; ++j) a[j] = t; if (a[3] != (int)t) __trap();", {32, 1, 1}, Schedule::lockstep);
  CHECK(of(c.global_load) == Three{0, 0, 0});
  CHECK(of(c.global_store) == Three{0, 0, 0});
  CHECK(of(c.shared_store) == Three{0, 0, 0});
}
