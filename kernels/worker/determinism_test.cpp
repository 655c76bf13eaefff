// The same seed gives the same histogram, findings and counters. Schedules differ as documented.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/protocol/protocol.h"
#include "kernels/worker/source_rules/forbidden.h"
#include "kernels/worker/source_rules/source_rules.h"
#include "kernels/worker/testing/direct_launch.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// A kernel full of races, so that any difference in order shows.
const std::string racy = R"(
__device__ unsigned int turn;
__global__ void k(const unsigned char* data, unsigned int n, unsigned int* histo) {
  __shared__ unsigned int part[4];
  if (threadIdx.x < 4) part[threadIdx.x] = turn;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    part[data[i] % 4]++;
    if (data[i] % 3 == 0) histo[data[i] % 8] = histo[data[i] % 8] + part[i % 4];
    turn = i;
  }
  __syncthreads();
  if (threadIdx.x < 4) histo[8 + threadIdx.x] += part[threadIdx.x];
}
)";

Outcome run_racy(Schedule schedule, std::uint64_t seed) {
  return run(racy, {.grid = {3},
                    .block = {100},
                    .arguments = {in("data", mixed_bytes(3000)), word(3000), out("histo", 12)},
                    .options = under(schedule, seed),
                    .times = 2});
}

// Everything in an observation except the time.
std::string everything(Outcome outcome) {
  for (Observation& o : outcome.launches) o.host_elapsed_s = 0;
  worker::Answer answer;
  answer.observations = outcome.launches;
  return worker::to_text(answer) + fmt::format("{}", fmt::join(outcome.output(), " "));
}

}  // namespace

TEST_CASE("twice the same seed: the same histogram, findings and counters, to the byte") {
  for (const Schedule schedule : all_schedules)
    for (const std::uint64_t seed : {1ull, 77ull, ~0ull})
      CHECK(everything(run_racy(schedule, seed)) == everything(run_racy(schedule, seed)));
}

TEST_CASE("the random and the adversarial schedule look at the seed, and no other") {
  CHECK(everything(run_racy(Schedule::lockstep, 1)) == everything(run_racy(Schedule::lockstep, 2)));
  CHECK(everything(run_racy(Schedule::run_to_barrier, 1)) ==
        everything(run_racy(Schedule::run_to_barrier, 2)));
  for (const Schedule schedule : {Schedule::random, Schedule::adversarial}) {
    std::set<std::vector<std::uint32_t>> histograms;
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      histograms.insert(run_racy(schedule, seed).output());
    CHECK(histograms.size() == 6);
  }
}

TEST_CASE("random covers: every order of two threads comes up, in one warp and across warps") {
  const std::string source = R"(
__global__ void k(unsigned int* out, unsigned int other) {
  if (threadIdx.x == 0 || threadIdx.x == other) out[0] = 2 * out[0] + (threadIdx.x != 0);
})";
  for (const std::uint32_t other : {1u, 40u}) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t seed = 0; seed < 40; ++seed)
      seen.insert(run(source, {.grid = {1},
                               .block = {64},
                               .arguments = {out("out", 1), word(other)},
                               .options = under(Schedule::random, seed)})
                      .output()[0]);
    // Thread 0 first gives 1; the other one first gives 2. If both read first, it is 0 or 1.
    CHECK(seen == std::set<std::uint32_t>{0, 1, 2});
  }
}

TEST_CASE("lockstep loses updates as hardware does: one is left of each warp's") {
  const std::string source = "__global__ void k(unsigned int* histo) { histo[threadIdx.x % 4]++; }";
  const Outcome lockstep =
      run(source, {.grid = {1}, .block = {128}, .arguments = {out("histo", 4)}});
  const auto histogram = lockstep.output();
  for (const std::uint32_t bin : histogram) CHECK(bin <= 4);  // of 32 updates, 4 warps
  for (const std::uint32_t bin : histogram) CHECK(bin >= 1);
  // Every schedule finds the race, whether updates are lost or not.
  for (const Schedule schedule : all_schedules)
    CHECK(told(run(source, {.grid = {1},
                            .block = {128},
                            .arguments = {out("histo", 4)},
                            .options = under(schedule)})) == "data_race histo[0] 1/1");
}

TEST_CASE(
    "a kernel without a race does the same under every schedule and seed, and costs the same") {
  const std::string source = R"(
__global__ void k(const unsigned char* data, unsigned int n, unsigned int* histo) {
  __shared__ unsigned int part[16];
  for (unsigned int j = threadIdx.x; j < 16; j += blockDim.x) part[j] = 0;
  __syncthreads();
  unsigned int run = 0, bin = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (data[i] % 16 == bin) { ++run; continue; }
    if (run > 0) atomicAdd(&part[bin], run);
    bin = data[i] % 16;
    run = 1;
  }
  if (run > 0) atomicAdd(&part[bin], run);
  __syncthreads();
  for (unsigned int j = threadIdx.x; j < 16; j += blockDim.x)
    if (part[j] > 0) atomicAdd(&histo[j], part[j]);
}
)";
  std::vector<std::uint32_t> expected(16, 0);
  for (const std::uint8_t letter : mixed_bytes(5000)) ++expected[letter % 16];
  std::set<std::string> seen;
  for (const auto& options : {under(Schedule::lockstep), under(Schedule::run_to_barrier),
                              under(Schedule::random, 1), under(Schedule::random, 2),
                              under(Schedule::adversarial, 1), under(Schedule::adversarial, 2)}) {
    const Outcome outcome =
        run(source, {.grid = {3},
                     .block = {100},
                     .arguments = {in("data", mixed_bytes(5000)), word(5000), out("histo", 16)},
                     .options = options});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output() == expected);
    std::string counters;
    for (const auto& counter : histolab::reference::values(outcome.last().counters))
      counters += fmt::format("{} {}\n", counter.name, counter.value);
    seen.insert(counters);
  }
  CHECK(seen.size() == 1);
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

// Takes a minute: ctest runs it as worker_slow_test.
TEST_CASE("every kernel of the course and of the corpus, right or wrong: twice the same" *
          doctest::skip()) {
  std::vector<std::filesystem::path> sources;
  for (const char* folder : {"/labs", "/tests/corpus"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(HISTOLAB_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  std::ranges::sort(sources);
  std::size_t run = 0;
  for (const std::filesystem::path& path : sources) {
    const std::string source = text_of(path);
    if (!may_be_run(source)) continue;
    const std::optional<Buffer> object = compile_to_object(source);
    if (!object) continue;
    Launch launch{.grid = {13},
                  .block = {100},
                  .arguments = {in("data", mixed_bytes(1281)), word(1281), out("histo", 7)},
                  .dynamic_shared_bytes = 28};
    launch.options.steps_per_thread = 4000;
    CHECK_MESSAGE(launch_directly(*object, "histogram", launch) ==
                      launch_directly(*object, "histogram", launch),
                  path.string());
    ++run;
  }
  CHECK(run > 200);
}
