// A launch that is spread over processes gives the same result to the byte, or it is not spread.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/source_rules/forbidden.h"
#include "kernels/worker/source_rules/source_rules.h"
#include "kernels/worker/testing/child_processes.h"
#include "kernels/worker/testing/spread_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

std::vector<std::uint8_t> letters(std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = static_cast<std::uint8_t>('a' + (i * i * 31 + i / 7) % 26);
  return bytes;
}

enum class Spreads { yes, no };

// Runs it on one process, on two and on several. `spreads` is whether it may be spread.
void check_same(const std::string& source, const Launch& launch, Spreads spreads) {
  const std::optional<Buffer> object = compile_to_object(source);
  REQUIRE_MESSAGE(object, source);
  const SpreadRun alone = run_spread(*object, "k", launch, 1);
  CHECK_FALSE(alone.was_spread());
  for (const unsigned processes : {2u, 5u}) {
    const SpreadRun spread = run_spread(*object, "k", launch, processes);
    CHECK_MESSAGE(spread.text == alone.text, source);
    CHECK_MESSAGE(spread.was_spread() == (spreads == Spreads::yes), source);
  }
}

// A launch of 13 blocks of 96 threads for kernels that take (data, n, out).
Launch usual(Options options = {}) {
  return {.grid = {13},
          .block = {96},
          .arguments = {in("data", letters(3001)), word(3001), out("out", 2000)},
          .options = options};
}

std::string kernel(const std::string& body, const std::string& before = {}) {
  return fmt::format(
      "{}\n__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {{\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  {}\n}}\n",
      before, body);
}

}  // namespace

TEST_CASE("spread: updates with unused results, and words that belong to one block") {
  const std::string right[] = {
      kernel("for (unsigned j = i; j < n; j += gridDim.x * blockDim.x) atomicAdd(&out[data[j] - "
             "'a'], 1u);"),
      kernel(R"(__shared__ unsigned part[26];
  for (unsigned j = threadIdx.x; j < 26; j += blockDim.x) part[j] = 0;
  __syncthreads();
  for (unsigned j = i; j < n; j += gridDim.x * blockDim.x) atomicAdd(&part[data[j] - 'a'], 1u);
  __syncthreads();
  for (unsigned j = threadIdx.x; j < 26; j += blockDim.x) atomicAdd(&out[j], part[j]);)"),
      kernel("if (i < n) out[i] = data[i] * 3u;"),
      // Neighbouring bytes of one word at the border between chunks.
      kernel("unsigned char* bytes = (unsigned char*)out; if (i < n) bytes[i] = data[i] + 1;"),
      // Read by all, not written.
      kernel("out[100 + i] = out[5] + 1; "),
      // The result is used, but each block has a word of its own.
      kernel("const unsigned turn = atomicAdd(&out[blockIdx.x], 1u); out[100 + blockIdx.x * "
             "blockDim.x + turn] = data[i];"),
      kernel(
          "out[i] = atomicExch(&out[i], 7u) + atomicInc(&out[i], 3u); atomicCAS(&out[i], 8u, i);"),
      kernel("int* o = (int*)out; atomicMin(&o[0], -(int)i); atomicMax(&o[1], (int)i); "
             "atomicMin(&o[2], (int)i); atomicMax(&out[3], i + 1);"
             "atomicMin(&out[4], i); atomicAnd(&out[5], i); atomicOr(&out[6], i); "
             "atomicXor(&out[7], i * 77); atomicSub(&out[8], i); atomicAdd(&o[9], -3);"),
      kernel("unsigned long long* o = (unsigned long long*)out; atomicAdd(&o[0], 0x123456789ull * "
             "i); atomicMax(&o[1], 1ull << i % 64);"
             "atomicMin((long long*)&o[2], -(long long)i); atomicMax((long long*)&o[3], -5ll - i); "
             "atomicOr(&o[4], 1ull << i % 64); atomicXor(&o[5], ~0ull / (i + 1));"
             "atomicAnd(&o[6], 0ull); atomicMin(&o[7], 3ull);"),
      kernel("atomicAdd(&total, data[i]); if (i == 700) last = total_is; if (threadIdx.x == 0) "
             "calls[blockIdx.x]++;",
             "__device__ unsigned total, last, calls[64]; __device__ const unsigned total_is = 3;"),
      kernel("if (threadIdx.x == 0) memset(&out[blockIdx.x * 100], blockIdx.x, 400);"),
      // Local variables that are not initialized.
      kernel("unsigned c[8]; c[data[i] % 8]++; out[i] = c[(data[i] + 1) % 8]; out[i] += c[i % 8];"),
      kernel("unsigned c[8]; fill(c, data[i]); out[i] = c[i % 8];",
             "__attribute__((noinline)) __device__ void fill(unsigned* c, unsigned x) { unsigned "
             "d[8]; d[x % 8]++; c[x % 8] = d[x / 8 % 8]; }"),
      // In a helper function.
      kernel("add(out, 1); add(out + 1, i); if (i < n) out[10 + i] = 3;",
             "__attribute__((noinline)) __device__ void add(unsigned* p, unsigned x) { "
             "atomicAdd(p, x); }"),
      kernel("const unsigned all = __ballot_sync(~0u, data[i] % 2); if (threadIdx.x % 32 == 0) { "
             "atomicAdd(out, (unsigned)__popc(all)); out[1 + i / 32] = all; }"),
  };
  for (const std::string& source : right)
    for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier})
      check_same(source, usual(under(schedule)), Spreads::yes);
}

TEST_CASE("spread: successive launches of one process keep their shared variables") {
  Launch launch = usual();
  launch.times = 3;
  check_same(kernel("atomicAdd(&total, data[i] + 0u); if (threadIdx.x == 3) calls[blockIdx.x] += "
                    "total_seen[blockIdx.x]++; atomicAdd(&out[0], 1u); out[1 + i] += i;",
                    "__device__ unsigned total, calls[64], total_seen[64];"),
             launch, Spreads::yes);
  // The first launch is spread, the second is not. The second reports a wild access with what the
  // first one has learned about its position in the code.
  launch.times = 2;
  check_same(
      kernel("long at = i; if (launches[i]++ == 1 && i == 0) at = -0x10000000; out[at] = data[i];",
             "__device__ unsigned launches[2000];"),
      launch, Spreads::yes);
}

TEST_CASE("spread: grids of three dimensions, blocks of one thread, fewer blocks than processes") {
  const std::string source = R"(__global__ void k(unsigned* out) {
  const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  out[b * blockDim.x * blockDim.y + t] = b * 1000 + t;
})";
  for (const Launch& launch :
       {Launch{.grid = {3, 2, 4}, .block = {5, 7, 1}, .arguments = {out("out", 24 * 35)}},
        Launch{.grid = {50}, .block = {1}, .arguments = {out("out", 50)}},
        Launch{.grid = {3}, .block = {1024}, .arguments = {out("out", 3072)}}})
    check_same(source, launch, Spreads::yes);
}

TEST_CASE("not spread: effects visible to another block, and findings, output or clocks") {
  const std::string dependent[] = {
      // A race between blocks.
      kernel("if (i < n) out[data[i] % 8]++;"),
      // One block reads a write of another.
      kernel("if (threadIdx.x == 0) out[blockIdx.x + 1] = out[blockIdx.x] + 1;"),
      // Tickets.
      kernel("if (i < n) out[100 + atomicAdd(out, 1u)] = data[i];"),
      kernel("if (atomicAdd(out, 1u) == 900) out[1] = i;"),
      kernel("out[100 + i] = use(out);",
             "__attribute__((noinline)) __device__ unsigned use(unsigned* p) { return atomicAdd(p, "
             "1u); }"),
      kernel("atomicAdd((float*)out, 0.1f * i);"),
      kernel("atomicExch(out, i);"),
      kernel("atomicInc(out, 100u);"),
      kernel("atomicCAS(out, i, i + 1);"),
      kernel("atomicAdd(out, 1u); atomicMax(out, i);"),
      kernel("atomicMax(out, i); atomicMax((int*)out, -(int)i);"),
      kernel("atomicAdd(out, 1u); if (*(volatile unsigned*)out == 5) out[1] = 1;"),
      kernel("atomicAdd(out, 1u); atomicAdd((unsigned long long*)out, 1ull);"),
      kernel("atomicAdd_block(out, 1u);"),
      // The same value: a note.
      kernel("unsigned char* bytes = (unsigned char*)out; bytes[i / 2] = 1;"),
      kernel("out[7] = 1;"),
      kernel("last = i; out[i] = i;", "__device__ unsigned last;"),
      kernel("if (i == 900) printf(\"%u\\n\", i);"),
      kernel("out[i] = (unsigned)clock64();"),
      kernel("unsigned* p = (unsigned*)malloc(4); if (p) { *p = i; out[i] = *p; free(p); }"),
      kernel("out[i] = 1; __threadfence(); atomicAdd(&out[1900], 1u);"),
      kernel("out[i] = 1; cooperative_groups::this_grid().sync(); out[i] += 1;",
             "#include <cooperative_groups.h>"),
      kernel("unsigned (*add)(unsigned*, unsigned); if (data[0] == 1) add = atomicSub; else add = "
             "atomicAdd; add(out, 1u);"),
      // A wild access in the last block only.
      kernel("out[i == 1247 ? 5000 : i] = 1;"),
      kernel("out[i] = i == 1247 ? n / (data[0] - 'a') : 1;"),
      kernel("if (i == 1247) assert(n == 0);", "#include <cassert>"),
      // Endless, without memory accesses.
      kernel("for (volatile unsigned j = 0; i == 1247 && j < 10; ) { }"),
      kernel("while (i == 1247 && *(volatile unsigned*)out == 0) { }"),
      kernel("if (i != 1247) __syncthreads();"),
      // Uninitialized.
      kernel("__shared__ unsigned s[96]; if (blockIdx.x == 12) out[i] = s[threadIdx.x];"),
      kernel("if (i == 1247) *(unsigned*)data = 1;"),
      kernel("if (i == 1247) *(volatile unsigned*)8 = 1;"),
      kernel("if (i == 1247) out[1] = *(const unsigned*)(data + 1);"),
  };
  Launch launch = usual();
  launch.options.steps_per_thread = 2000;
  for (const std::string& source : dependent) check_same(source, launch, Spreads::no);
}

TEST_CASE("not spread: stateful schedules, missing race or bounds checks, unset memory") {
  const std::string source = kernel("out[i] = data[i];");
  for (const Schedule schedule : {Schedule::random, Schedule::adversarial})
    check_same(source, usual(under(schedule, 3)), Spreads::no);
  Launch launch = usual();
  launch.options.observers.races = false;
  check_same(source, launch, Spreads::no);
  launch = usual();
  launch.options.observers.bounds = false;
  check_same(source, launch, Spreads::no);
  launch = usual();
  launch.arguments[2] = scratch("out", 2000);
  check_same(source, launch, Spreads::no);
}

TEST_CASE("spread: observers that do not affect the merge may be off") {
  Launch launch = usual();
  launch.options.observers.traffic = launch.options.observers.alignment =
      launch.options.observers.initialization = false;
  check_same(kernel("if (i < n) atomicAdd(&out[data[i] - 'a'], 1u);"), launch, Spreads::yes);
}

// Returns a process that a child of this one has forked, or 0 if there is none now.
pid_t grandchild() {
  for (const pid_t child : children_of("self"))
    for (const pid_t below : children_of(std::to_string(child))) return below;
  return 0;
}

// A kernel cannot make system calls, so only an outside event can end a process.
TEST_CASE("if a child is killed, the launch is run in one process") {
  const std::string source = kernel(
      "for (unsigned j = 0; j < 3000; ++j) if (data[(i + j) % n] == 'a') atomicAdd(&out[j % 7], "
      "1u);");
  const std::optional<Buffer> object = compile_to_object(source);
  REQUIRE(object);
  const SpreadRun alone = run_spread(*object, "k", usual(), 1);
  bool was_killed = false;
  for (int attempt = 0; attempt < 100 && !was_killed; ++attempt) {  // an attempt may come too late
    std::atomic<bool> done = false;
    std::thread killer([&] {
      while (!done) {
        if (const pid_t process = grandchild(); process != 0) return void(kill(process, SIGKILL));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    const SpreadRun spread = run_spread(*object, "k", usual(), 5);
    done = true;
    killer.join();
    CHECK(spread.text == alone.text);
    was_killed = !spread.was_spread();
  }
  CHECK(was_killed);
}

namespace {

bool may_be_run(const std::string& source) {
  const worker::Verdict verdict = worker::forbidden_in(source, emulator_paths().include_dir);
  return verdict.refusals.empty() && !verdict.unsure && worker::refuse_source(source).empty() &&
         worker::refuse_not_yet(source, emulator_paths().include_dir).empty();
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

// Takes a minute and a half: ctest runs it as worker_slow_test.
TEST_CASE(
    "every kernel of the course and of the corpus, right or wrong: the same on one core and on "
    "three" *
    doctest::skip()) {
  std::vector<std::filesystem::path> sources;
  for (const char* folder : {"/labs", "/tests/corpus"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(HISTOLAB_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  std::ranges::sort(sources);
  std::size_t run = 0, spread = 0;
  for (const std::filesystem::path& path : sources) {
    const std::string source = text_of(path);
    if (!may_be_run(source)) continue;
    const std::optional<Buffer> object = compile_to_object(source);
    if (!object) continue;
    Launch launch{.grid = {13},
                  .block = {100},
                  .arguments = {in("data", letters(1281)), word(1281), out("histo", 7)},
                  .dynamic_shared_bytes = 28};
    launch.options.steps_per_thread = 4000;
    const SpreadRun alone = run_spread(*object, "histogram", launch, 1),
                    apart = run_spread(*object, "histogram", launch, 3);
    CHECK_MESSAGE(alone.text == apart.text, path.string());
    ++run;
    spread += apart.was_spread();
  }
  MESSAGE(run, " kernels, ", spread, " of them spread");
  CHECK(run > 200);
  CHECK(spread > 50);
}
