// Tests of the order of blocks and of the turns of a block's warps. It follows the options, is
// repeatable, and does not change the result of a correct kernel.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr std::uint32_t blocks = 24;

Options in_order(BlockOrder order, std::uint64_t seed = 1, Schedule schedule = Schedule::lockstep) {
  Options options = under(schedule, seed);
  options.block_order = order;
  return options;
}

std::vector<double> figures_of(const Outcome& outcome) {
  std::vector<double> figures;
  for (const histolab::reference::CounterValue& counter :
       histolab::reference::values(outcome.last().counters))
    figures.push_back(counter.value);
  return figures;
}

// Returns the blocks in the order in which they ran.
std::vector<std::uint32_t> order_of(const Options& options) {
  constexpr const char* source =
      "__device__ unsigned next;\n"
      "__global__ void k(unsigned* out) {\n  if (threadIdx.x == 0) out[atomicAdd(&next, 1u)] = "
      "blockIdx.x;\n}\n";
  return run(source, {.grid = {blocks},
                      .block = {64},
                      .arguments = {out("out", blocks)},
                      .options = options})
      .output();
}

}  // namespace

TEST_CASE("blocks run in the requested order under every schedule") {
  for (const Schedule schedule : all_schedules) {
    std::vector<std::uint32_t> order = order_of(in_order(BlockOrder::ascending, 1, schedule));
    CHECK(std::ranges::is_sorted(order));
    order = order_of(in_order(BlockOrder::descending, 1, schedule));
    CHECK(std::ranges::is_sorted(order, std::greater{}));
    order = order_of(in_order(BlockOrder::random, 1, schedule));
    CHECK(order == order_of(in_order(BlockOrder::random, 1, schedule)));
    CHECK(order != order_of(in_order(BlockOrder::random, 2, schedule)));
    CHECK_FALSE(std::ranges::is_sorted(order));
    std::ranges::sort(order);
    CHECK(order == order_of(in_order(BlockOrder::ascending)));
  }
}

TEST_CASE("the warps of a block take turns in the requested order") {
  constexpr std::uint32_t warps = 8;
  // Returns the warps of each block in the order of their turns.
  const auto order_of_warps = [](const Options& options) {
    constexpr const char* source =
        "__device__ unsigned next[3];\n"
        "__global__ void k(unsigned* out) {\n"
        "  if (threadIdx.x % 32 == 0) out[blockIdx.x * 8 + atomicAdd(&next[blockIdx.x], 1u)] = "
        "threadIdx.x / 32;\n}\n";
    return run(source, {.grid = {3},
                        .block = {32 * warps},
                        .arguments = {out("out", 3 * warps)},
                        .options = options})
        .output();
  };
  for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier}) {
    const std::vector<std::uint32_t> ascending =
        order_of_warps(in_order(BlockOrder::ascending, 1, schedule));
    const std::vector<std::uint32_t> descending =
        order_of_warps(in_order(BlockOrder::descending, 1, schedule));
    const std::vector<std::uint32_t> random =
        order_of_warps(in_order(BlockOrder::random, 1, schedule));
    for (std::uint32_t at = 0; at < 3 * warps; ++at) {
      CHECK(ascending[at] == at % warps);
      CHECK(descending[at] == warps - 1 - at % warps);
    }
    CHECK(random == order_of_warps(in_order(BlockOrder::random, 1, schedule)));
    CHECK(random != order_of_warps(in_order(BlockOrder::random, 2, schedule)));
    const auto of_block = [&](std::uint32_t block) {
      return std::vector(random.begin() + block * warps, random.begin() + (block + 1) * warps);
    };
    CHECK(of_block(0) != of_block(1));
    for (std::uint32_t block = 0; block < 3; ++block) {
      std::vector<std::uint32_t> all = of_block(block);
      std::ranges::sort(all);
      CHECK(all == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
    }
  }
}

TEST_CASE(
    "a kernel without barriers whose accesses are all atomic is wrong if its warps come in another "
    "order") {
  const auto counted = [](const std::string& zeroes, const std::string& commits, BlockOrder order) {
    const std::string source =
        "__global__ void k(unsigned* out) {\n  __shared__ unsigned own;\n  if (threadIdx.x == " +
        zeroes +
        ") atomicExch(&own, 0u);\n  __syncwarp();\n"
        "  atomicAdd(&own, 1u);\n  if (threadIdx.x == " +
        commits + ") out[blockIdx.x] = atomicAdd(&own, 0u);\n}\n";
    return run(source, {.grid = {4},
                        .block = {128},
                        .arguments = {out("out", 4)},
                        .options = in_order(order)})
        .output();
  };
  const std::vector<std::uint32_t> all(4, 128);
  CHECK(counted("0", "127", BlockOrder::ascending) == all);
  CHECK(counted("127", "0", BlockOrder::descending) == all);
  CHECK(counted("0", "127", BlockOrder::descending) != all);
  CHECK(counted("0", "127", BlockOrder::random) != all);
}

TEST_CASE("a right kernel gives the same histogram and counters in every order") {
  constexpr const char* source =
      "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n"
      "  __shared__ unsigned mine[8];\n  if (threadIdx.x < 8) mine[threadIdx.x] = 0;\n  "
      "__syncthreads();\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) "
      "atomicAdd(&mine[data[i] % 8], 1u);\n"
      "  __syncthreads();\n  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], "
      "mine[threadIdx.x]);\n}\n";
  const Launch launch{.grid = {blocks},
                      .block = {64},
                      .arguments = {in("data", mixed_bytes(1500)), word(1500), out("out", 8)}};
  const Outcome ascending = run(source, launch);
  CHECK(faults(ascending).empty());
  for (const BlockOrder order : all_block_orders) {
    Launch other = launch;
    other.options.block_order = order;
    const Outcome outcome = run(source, other);
    CHECK(faults(outcome).empty());
    CHECK(outcome.outputs == ascending.outputs);
    CHECK(figures_of(outcome) == figures_of(ascending));
  }
}

TEST_CASE(
    "a launch in which a block waits for a lower one is repeated, with a note, in any order") {
  constexpr const char* source =
      "__device__ unsigned turn;\n"
      "__global__ void k(unsigned* out) {\n"
      "  while (atomicAdd(&turn, 0u) != blockIdx.x) {}  //@wait\n"
      "  out[blockIdx.x] = atomicAdd(&turn, 1u);\n}\n";
  for (const BlockOrder order : all_block_orders) {
    const Outcome outcome =
        run(source,
            {.grid = {5}, .block = {1}, .arguments = {out("out", 5)}, .options = in_order(order)});
    CHECK(outcome.last().ending == Ending::completed);
    CHECK(outcome.output() == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    const bool is_repeated = order == BlockOrder::descending || order == BlockOrder::random;
    CHECK(outcome.last().findings.size() == (is_repeated ? 1 : 0));
    for (const Finding& finding : outcome.last().findings) {
      CHECK(finding.severity == Severity::note);
      CHECK(finding.message.find("waits for a block with a lower number (line 3)") !=
            std::string::npos);
    }
  }
}

TEST_CASE("among many blocks in random order, the one that another waits for is found") {
  constexpr const char* source =
      "__device__ unsigned turn;\n"
      "__global__ void k(unsigned* out) {\n"
      "  while (atomicAdd(&turn, 0u) != blockIdx.x) {}\n"
      "  out[blockIdx.x] = atomicAdd(&turn, 1u);\n}\n";
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Outcome outcome = run(source, {.grid = {300},
                                         .block = {1},
                                         .arguments = {out("out", 300)},
                                         .options = in_order(BlockOrder::random, seed)});
    CHECK(outcome.last().ending == Ending::completed);
    CHECK(outcome.output().at(299) == 299);
    for (const Finding& finding : outcome.last().findings)
      CHECK(finding.severity == Severity::note);
  }
}

TEST_CASE("a block that waits for one with a higher number is a deadlock in every order") {
  constexpr const char* source =
      "__device__ unsigned turn;\n"
      "__global__ void k(unsigned* out) {\n"
      "  while (atomicAdd(&turn, 0u) != gridDim.x - 1 - blockIdx.x) {}  //@wait\n"
      "  out[blockIdx.x] = atomicAdd(&turn, 1u);  //@turn\n}\n";
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::random})
    CHECK(told(run(source, {.grid = {5},
                            .block = {1},
                            .arguments = {out("out", 5)},
                            .options = in_order(order)})) == "deadlock turn @wait/@turn");
}

namespace {

// In each block, one thread runs add() with the body `adds`: it adds 1 to out[0] and 2 to out[1].
std::vector<std::uint32_t> sums(const std::string& adds, const Options& options) {
  const std::string source =
      "__device__ unsigned lock;\n"
      "__device__ void add(unsigned* word, unsigned n) {\n  " +
      adds +
      "\n}\n"
      "__global__ void k(unsigned* out) {\n  __syncthreads();\n"
      "  if (threadIdx.x == 5) add(&out[0], 1), add(&out[1], 2);\n  __syncthreads();\n}\n";
  const Outcome outcome = run(
      source, {.grid = {blocks}, .block = {64}, .arguments = {out("out", 2)}, .options = options});
  CAPTURE(adds);
  CHECK(faults(outcome).empty());
  CHECK(outcome.last().ending == Ending::completed);
  return outcome.output();
}

Options interleaved(std::uint64_t seed) {
  return in_order(BlockOrder::interleaved, seed, Schedule::adversarial);
}

}  // namespace

TEST_CASE("interleaved blocks lose updates that are not atomic as a whole") {
  for (const char* adds : {
           "const unsigned v = *(volatile unsigned*)word; atomicMax(word, v + n);",
           "const unsigned v = atomicAdd(word, 0u); atomicExch(word, v + n);",
           "const unsigned v = atomicOr(word, 0u); atomicCAS(word, v, v + n);",
           "const unsigned v = *(volatile unsigned*)word; *(volatile unsigned*)word = v + n;",
       }) {
    const std::vector<std::uint32_t> all{blocks, 2 * blocks};
    if (std::string(adds).find("atomic") != std::string::npos)
      CHECK(sums(adds, in_order(BlockOrder::random, 1, Schedule::adversarial)) == all);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::vector<std::uint32_t> seen = sums(adds, interleaved(seed));
      CHECK(seen[0] < all[0]);
      CHECK(seen[1] < all[1]);
    }
  }
}

TEST_CASE("correct sums stay correct if blocks are interleaved, also with locks") {
  for (const char* adds : {
           "atomicAdd(word, n);",
           "unsigned v = *word, seen; while ((seen = atomicCAS(word, v, v + n)) != v) v = seen;",
           "unsigned v = n; while (v != 0) { v += atomicExch(word, 0u); v = atomicExch(word, v); }",
           "while (atomicCAS(&lock, 0u, 1u) != 0u) {}\n  __threadfence();\n"
           "  *(volatile unsigned*)word += n;\n  __threadfence();\n  atomicExch(&lock, 0u);",
           // A thread that does much work before it releases the lock.
           "while (atomicCAS(&lock, 0u, 1u) != 0u) {}\n  __threadfence();\n"
           "  for (int i = 0; i < 300; ++i) *(volatile unsigned*)word += 1;\n"
           "  for (int i = 0; i < 300; ++i) *(volatile unsigned*)word -= 1;\n"
           "  *(volatile unsigned*)word += n;\n  __threadfence();\n  atomicExch(&lock, 0u);",
       })
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Options options = interleaved(seed);
      options.steps_per_thread = 1u << 17;  // the grader's minimum
      CHECK(sums(adds, options) == std::vector<std::uint32_t>{blocks, 2 * blocks});
    }
}

TEST_CASE("a deadlock and an endless loop of interleaved blocks end as such, by their budget") {
  const auto ending = [](const std::string& body, std::uint64_t seed) {
    const std::string source = "__global__ void k(unsigned* out) {\n" + body + "\n}\n";
    Launch launch{.grid = {blocks}, .block = {64}, .arguments = {out("out", 2)}};
    launch.options = interleaved(seed);
    launch.options.steps_per_thread = 1u << 17;  // the grader's minimum
    return told(run(source, launch));
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CHECK(ending("while (atomicCAS(&out[0], 0u, 1u) != 0u) {}", seed) == "deadlock out[0] 2");
    CHECK(
        ending(
            "if (threadIdx.x == 0)\nwhile (atomicCAS(&out[0], 0u, 1u) != 0u) {}\n__syncthreads();",
            seed) == "deadlock out[0] 3/4");
    CHECK(ending("for (unsigned n = 0; n < 5; n += 0) atomicAdd(&out[1], 1u);", seed) ==
          "step_limit 2");
  }
}

TEST_CASE("a block is interrupted after a long turn in which not every warp has run") {
  constexpr const char* source =
      "__global__ void k(unsigned* out) {\n  __shared__ unsigned turns;\n"
      "  if (threadIdx.x == 0) turns = 0;\n  __syncthreads();\n"
      "  for (int i = 0; i < 400; ++i) atomicMax(&turns, atomicOr(&out[1], 0u));\n"
      "  __syncthreads();\n  atomicAdd(&out[0], 1u);\n}\n";
  for (const std::uint32_t threads : {96u, 256u})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Outcome outcome = run(source, {.grid = {blocks},
                                           .block = {threads},
                                           .arguments = {out("out", 2)},
                                           .options = interleaved(seed)});
      CHECK(outcome.last().ending == Ending::completed);
      CHECK(outcome.output() == std::vector<std::uint32_t>{blocks * threads, 0});
    }
}

TEST_CASE("an interrupted block finds its shared memory, its stacks and its warps' calls again") {
  constexpr const char* source =
      "__device__ unsigned depth(unsigned n, unsigned* out) {\n"
      "  volatile unsigned here = n;\n  atomicAdd(out, 0u);\n"
      "  return n == 0 ? 0 : depth(n - 1, out) + here;\n}\n"
      "__global__ void k(unsigned* out) {\n  __shared__ unsigned sums[64];\n"
      "  unsigned mine = depth(threadIdx.x % 4 + blockIdx.x % 3, out + 7);\n"
      "  for (int by = 16; by > 0; by /= 2) {\n    atomicAdd(&out[7], 0u);\n"
      "    mine += __shfl_xor_sync(~0u, mine, by);\n  }\n"
      "  sums[threadIdx.x] = mine;\n  const int ones = __syncthreads_count(threadIdx.x % 2);\n"
      "  atomicAdd(&out[threadIdx.x % 7], sums[63 - threadIdx.x] + ones);\n}\n";
  const Launch launch{.grid = {blocks}, .block = {64}, .arguments = {out("out", 8)}};
  const Outcome usual = run(source, launch);
  CHECK(faults(usual).empty());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Launch other = launch;
    other.options = interleaved(seed);
    const Outcome outcome = run(source, other);
    CHECK(faults(outcome).empty());
    CHECK(outcome.outputs == usual.outputs);
    CHECK(run(source, other).outputs == outcome.outputs);
    other.options.block_order = BlockOrder::ascending;
    CHECK(figures_of(outcome) == figures_of(run(source, other)));
  }
}
