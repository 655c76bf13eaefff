// Tests of the recorded data of a launch: its first warp-level accesses, each with its counters,
// and the first accesses of single threads, with their effect on memory.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

const std::string parameters =
    "__global__ void k(const unsigned char* data, unsigned n, unsigned* histo)";

Outcome recorded(const std::string& source, Dim3 grid, Dim3 block, Options options,
                 std::uint32_t accesses, std::uint32_t steps, std::size_t length = 256,
                 int times = 1) {
  std::vector<std::uint8_t> data(length);
  for (std::size_t i = 0; i < length; ++i) data[i] = static_cast<std::uint8_t>(i * i * 31 + i / 7);
  options.recorded_accesses = accesses;
  options.recorded_steps = steps;
  return run(source, {.grid = grid,
                      .block = block,
                      .arguments = {in("data", data), word(static_cast<std::uint32_t>(length)),
                                    out("histo", 64)},
                      .options = options,
                      .times = times});
}

std::string text(const RecordedStep& s) {
  return fmt::format("T{} {} {}[{}] {}->{}", s.thread, name(s.operation), s.variable, s.index,
                     s.before, s.after);
}
std::string text(const std::vector<RecordedStep>& steps) {
  std::string all;
  for (const RecordedStep& step : steps) all += (all.empty() ? "" : "; ") + text(step);
  return all;
}

// Returns the order of loads and stores by thread: "L0 S0 L1 S1".
std::string order_of(const std::vector<RecordedStep>& steps) {
  std::string order;
  for (const RecordedStep& s : steps) {
    const char operation = s.operation == Operation::load    ? 'L'
                           : s.operation == Operation::store ? 'S'
                                                             : 'A';
    order += fmt::format("{}{}{}", order.empty() ? "" : " ", operation, s.thread);
  }
  return order;
}

}  // namespace

TEST_CASE("a recorded access has the block and warp that made it") {
  const std::string source =
      parameters + " { ((unsigned char*)histo)[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = recorded(source, {2}, {80}, under(schedule), 64, 0);
    REQUIRE(outcome.last().accesses.size() == 6);
    for (const RecordedAccess& access : outcome.last().accesses)
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((access.active >> lane & 1) != 0)
          CHECK(access.offset[lane] == 80 * access.block + 32 * access.warp + lane);
  }
}

TEST_CASE("recorded accesses add up to the counters") {
  const std::string bodies[] = {
      "histo[data[threadIdx.x] % 8]++;",
      "atomicAdd(&histo[data[threadIdx.x] % 8], 1u);",
      "if (threadIdx.x % 3 == 0) histo[threadIdx.x * 2] = ((const unsigned "
      "short*)data)[threadIdx.x / 3];",
      "const uint4 x = ((const uint4*)data)[threadIdx.x % 16]; histo[threadIdx.x] = x.x + x.w;",
      "__shared__ unsigned own[33 * 32]; own[threadIdx.x * 33] = 1; own[threadIdx.x * 2] = 2; "
      "atomicAdd(&own[threadIdx.x % 4 * 32], 1u); __syncthreads(); histo[threadIdx.x] = "
      "own[threadIdx.x];",
      "__shared__ unsigned char bytes[3]; __shared__ unsigned char own[256]; bytes[threadIdx.x % "
      "3] = 1; "
      "own[threadIdx.x * 4 % 256] = 1; histo[threadIdx.x] = own[threadIdx.x * 7 % 256] + bytes[0];",
      "__shared__ double own[64]; own[threadIdx.x] = 1; atomicAdd((unsigned long "
      "long*)&own[threadIdx.x % 5], 1ull); "
      "histo[threadIdx.x] = (unsigned)own[threadIdx.x / 2];",
      "unsigned old = histo[1]; while (atomicCAS(&histo[1], old, old + 1) != old) ++old; "
      "atomicExch(&histo[2], "
      "threadIdx.x); atomicAdd((unsigned long long*)&histo[4 + threadIdx.x % 3 * 2], 1ull);",
      "atomicAdd((unsigned*)((char*)histo + threadIdx.x % 3), 1u);",  // misaligned
  };
  for (const std::string& body : bodies)
    for (const Schedule schedule : all_schedules) {
      CAPTURE(body);
      const Outcome outcome =
          recorded(parameters + " { " + body + " }", {2}, {40}, under(schedule), 4096, 0);
      const Observation& o = outcome.last();
      REQUIRE(!o.accesses.empty());
      REQUIRE(o.accesses.size() < 4096);
      reference::Counters counted;
      for (const RecordedAccess& a : o.accesses) {
        const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(a.active));
        std::set<std::uint32_t> addresses;
        for (std::uint32_t l = 0; l < 32; ++l)
          if ((a.active >> l & 1) != 0) addresses.insert(a.offset[l]);
        const bool shared = a.space == Space::shared, store = a.operation == Operation::store,
                   load = a.operation == Operation::load;
        auto& global_traffic = load    ? counted.global_load
                               : store ? counted.global_store
                                       : counted.global_atomic;
        auto& shared_traffic = load    ? counted.shared_load
                               : store ? counted.shared_store
                                       : counted.shared_atomic;
        if (shared) {
          ++shared_traffic.requests;
          shared_traffic.wavefronts += a.wavefronts;
          shared_traffic.lanes += lanes;
          shared_traffic.bytes += addresses.size() * a.bytes;
        } else {
          ++global_traffic.requests;
          global_traffic.sectors += a.sectors;
          global_traffic.lanes += lanes;
          global_traffic.bytes += addresses.size() * a.bytes;
        }
        CHECK((shared ? a.sectors : a.wavefronts) == 0);
        CHECK((a.same_address_degree != 0) == (!load && !store));
        if (!load && !store)
          ++(shared ? counted.shared_contention : counted.global_contention)
                .requests_of_degree[a.same_address_degree - 1];
        CHECK(a.line == 1);
        CHECK(a.block < 2);
        CHECK(a.warp < 2);
      }
      const reference::Counters& c = o.counters;
      for (const auto member :
           {&reference::Counters::global_load, &reference::Counters::global_store,
            &reference::Counters::global_atomic}) {
        CHECK((counted.*member).requests == (c.*member).requests);
        CHECK((counted.*member).sectors == (c.*member).sectors);
        CHECK((counted.*member).lanes == (c.*member).lanes);
        CHECK((counted.*member).bytes == (c.*member).bytes);
      }
      for (const auto member :
           {&reference::Counters::shared_load, &reference::Counters::shared_store,
            &reference::Counters::shared_atomic}) {
        CHECK((counted.*member).requests == (c.*member).requests);
        CHECK((counted.*member).wavefronts == (c.*member).wavefronts);
        CHECK((counted.*member).lanes == (c.*member).lanes);
      }
      CHECK(counted.global_contention.requests_of_degree == c.global_contention.requests_of_degree);
      CHECK(counted.shared_contention.requests_of_degree == c.shared_contention.requests_of_degree);
    }
}

TEST_CASE("a recorded access has its variable, operation, lanes, offsets and line") {
  const Outcome outcome = recorded(parameters + R"( {
  __shared__ unsigned before[3], own[32];
  if (threadIdx.x < 3) before[threadIdx.x] = 0;  //@first
  if (threadIdx.x % 2 == 1) own[threadIdx.x] = data[64 + threadIdx.x];  //@second
  histo[0] = before[0] + own[1];
})",
                                   {1}, {32}, under(Schedule::lockstep), 3, 0);
  const auto& a = outcome.last().accesses;
  REQUIRE(a.size() == 3);
  CHECK(a[0].variable == "before");
  CHECK(a[0].operation == Operation::store);
  CHECK(a[0].space == Space::shared);
  CHECK(a[0].active == 0b111);
  CHECK(a[0].offset[2] == 8);
  CHECK(a[0].offset[20] == 0);
  CHECK(a[0].bytes == 4);
  CHECK(a[0].line == 3);
  CHECK(a[1].variable == "data");
  CHECK(a[1].operation == Operation::load);
  CHECK(a[1].active == 0xaaaaaaaa);
  CHECK(a[1].offset[1] == 65);
  CHECK(a[1].offset[31] == 95);
  CHECK(a[1].sectors == 1);
  CHECK(a[1].bytes == 1);
  CHECK(a[2].variable == "own");
  CHECK(a[2].offset[31] == 124);
  CHECK(a[2].wavefronts == 1);
  CHECK(a[2].base + a[0].base > 0);  // one of the two is not at the start of shared memory
}

TEST_CASE(
    "only the requested number of accesses and steps is recorded, and only of the first launch") {
  const std::string source = parameters + " { atomicAdd(&histo[data[threadIdx.x] % 8], 1u); }";
  const Outcome nothing = recorded(source, {1}, {64}, {}, 0, 0);
  CHECK(nothing.last().accesses.empty());
  CHECK(nothing.last().steps.empty());
  const Outcome both = recorded(source, {1}, {64}, {}, 3, 5, 256, 2);
  REQUIRE(both.launches.size() == 2);
  CHECK(both.launches[0].accesses.size() == 3);
  CHECK(both.launches[0].steps.size() == 5);
  CHECK(both.launches[1].accesses.empty());
  CHECK(both.launches[1].steps.empty());
  const Outcome much = recorded(
      parameters +
          " { for (unsigned i = 0; i < 200; ++i) atomicAdd(&histo[data[threadIdx.x] % 8], 1u); }",
      {1}, {1024}, {}, 1'000'000, 1'000'000, 1024);
  CHECK(much.last().accesses.size() == Options::most_recorded);
  CHECK(much.last().steps.size() == Options::most_recorded);
  Options no_traffic;
  no_traffic.observers.traffic = false;
  CHECK(recorded(source, {1}, {64}, no_traffic, 3, 0).last().accesses.empty());
}

TEST_CASE("only the chosen threads' steps are recorded") {
  Options options = under(Schedule::random);
  options.recorded_threads = {5, 64 + 7};
  const Outcome outcome = recorded(parameters + " { histo[threadIdx.x]++; }", {2}, {64}, options, 0,
                                   Options::most_recorded);
  CHECK(text(outcome.last().steps) ==
        "T5 load histo[5] 0->0; T5 store histo[5] 0->1; T7 load histo[7] 1->1; T7 store histo[7] "
        "1->2");
}

TEST_CASE(
    "two threads, histo[0]++: every interleaving occurs, each with the value that it must give") {
  const std::string source = parameters + " { histo[data[threadIdx.x] * 0]++; }";
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Outcome outcome = recorded(source, {1}, {2}, under(Schedule::random, seed), 0, 100);
    const auto& steps = outcome.last().steps;
    REQUIRE(steps.size() == 4);
    std::map<std::uint32_t, std::uint64_t> loaded;
    std::uint64_t memory = 0;
    for (const RecordedStep& s : steps) {
      CHECK(s.variable == "histo");
      CHECK(s.index == 0);
      CHECK(s.bytes == 4);
      CHECK(s.line == 1);
      CHECK(s.before == memory);
      if (s.operation == Operation::load) loaded[s.thread] = s.before;
      memory = s.operation == Operation::store ? loaded.at(s.thread) + 1 : memory;
      CHECK(s.after == memory);
    }
    CHECK(outcome.output()[0] == memory);
    seen.insert(order_of(steps));
  }
  CHECK(seen == std::set<std::string>{"L0 S0 L1 S1", "L0 L1 S0 S1", "L0 L1 S1 S0", "L1 S1 L0 S0",
                                      "L1 L0 S1 S0", "L1 L0 S0 S1"});
}

TEST_CASE("four threads that update once, two that do twice: every order occurs") {
  // Each block is one more attempt.
  const auto orders = [](const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    std::set<std::string> seen;
    for (const std::uint64_t seed : {1, 2, 3}) {
      std::map<std::uint32_t, std::vector<RecordedStep>> of_block;
      const Outcome outcome = recorded(parameters + " { " + body + " }", {blocks}, {threads},
                                       under(Schedule::random, seed), 0, 4096);
      for (const RecordedStep& step : outcome.last().steps) of_block[step.block].push_back(step);
      CHECK(of_block.size() == blocks);
      for (const auto& [block, steps] : of_block) seen.insert(order_of(steps));
    }
    return seen.size();
  };
  CHECK(orders("atomicAdd(&histo[blockIdx.x % 64], 1u);", 4, 100) == 24);
  CHECK(orders("for (int i = 0; i < 2; ++i) histo[blockIdx.x % 64]++;", 2, 510) ==
        70);  // 8! / 4!^2
}

TEST_CASE("steps under a schedule without pauses, in shared memory and variables, of every width") {
  const std::string source = "__device__ unsigned long long total;\n" + parameters + R"( {
  __shared__ unsigned char flag[2];
  __shared__ unsigned short half[4];
  const unsigned t = threadIdx.x;
  flag[t] = (unsigned char)(t + 1);
  half[t] = 500;
  __syncthreads();
  atomicMax(&total, 7ull + t);
  histo[t] = flag[1 - t] + half[t] + data[0];
})";
  for (const Schedule schedule : {Schedule::run_to_barrier, Schedule::lockstep}) {
    const Outcome outcome = recorded(source, {1}, {2}, under(schedule), 0, 100);
    const std::string all = text(outcome.last().steps);
    CAPTURE(all);
    CHECK(outcome.last().steps.size() == 12);
    for (const char* step :
         {"T0 store flag[0] 205->1", "T1 store flag[1] 205->2", "T0 store half[0] 52685->500",
          "T0 atomic total[0] 0->7", "T1 atomic total[0] 7->8", "T0 load flag[1] 2->2",
          "T1 load half[1] 500->500", "T0 store histo[0] 0->502", "T1 store histo[1] 0->501"})
      CHECK_MESSAGE(all.find(step) != std::string::npos, step);
  }
}

TEST_CASE(
    "a swap that fails changes nothing; 16 bytes are left out; ranges come in pieces, made "
    "together") {
  const Outcome swaps = recorded(parameters +
                                     " { atomicCAS(&histo[0], 5u, 6u); atomicExch(&histo[0], 9u); "
                                     "atomicCAS(&histo[0], 9u, 6u); }",
                                 {1}, {1}, {}, 0, 100);
  CHECK(text(swaps.last().steps) ==
        "T0 compare_and_swap histo[0] 0->0; T0 exchange histo[0] 0->9; T0 compare_and_swap "
        "histo[0] 9->6");
  const Outcome wide =
      recorded(parameters + " { *(uint4*)histo = make_uint4(1, 2, 3, 4); histo[4] = 5; }", {1}, {1},
               {}, 0, 100);
  CHECK(text(wide.last().steps) == "T0 store histo[4] 0->5");
  const Outcome range =
      recorded(parameters + " { memset(histo, 1, 12); histo[1] = 3; }", {1}, {1}, {}, 0, 100);
  CHECK(text(range.last().steps) ==
        "T0 store histo[0] 0->16843009; T0 store histo[1] 0->16843009; T0 store histo[2] "
        "0->16843009; T0 store "
        "histo[1] 16843009->3");
}

TEST_CASE("steps of a launch that is stopped") {
  const Outcome outcome = recorded(
      parameters + " { histo[1] = 4; histo[0] = n / (data[0] - data[0]); }", {1}, {1}, {}, 0, 100);
  CHECK(outcome.last().ending == Ending::stopped);
  CHECK(text(outcome.last().steps).starts_with("T0 store histo[1] 0->4"));
}
