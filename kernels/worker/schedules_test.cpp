// Tests of the adversarial schedule, with kernels whose fault needs an unlikely order. Each gives
// the correct result under lockstep and run_to_barrier, and under some seeds of the random
// schedule. The race is found in any case; here it shows in the result.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// Bodies of k(out). `t` is the thread, `warp` its warp, and `leads` is true in the first thread of
// each warp. `mine` is the block's element of `out`, initially zero; `expected` is its correct
// final value.
struct Pair {
  const char* title;
  const char *wrong, *right;
  std::uint32_t block;
  std::uint32_t expected;
};
constexpr std::uint32_t blocks = 6;

// The stack's head holds an index and, in the correct version, a count of its changes in the upper
// bits.
#define STACK(index, changed)                                                                 \
  "__shared__ volatile unsigned next[10];\n__shared__ unsigned head, owners[10];\n"           \
  "if (t < 10) next[t] = t + 1, owners[t] = 0;\nif (t == 0) head = 0;\n__syncthreads();\n"    \
  "if (!leads) return;\n"                                                                     \
  "const auto pop = [&] {\n  unsigned h;\n"                                                   \
  "  do h = *(volatile unsigned*)&head; while (atomicCAS(&head, h, " changed " + next[" index \
  "]) != h);\n"                                                                               \
  "  return " index                                                                           \
  ";\n};\n"                                                                                   \
  "const auto push = [&](unsigned i) {\n  unsigned h;\n"                                      \
  "  do next[i] = (h = *(volatile unsigned*)&head, " index                                    \
  "); while (atomicCAS(&head, h, " changed                                                    \
  " + i) != h);\n"                                                                            \
  "};\n"                                                                                      \
  "const unsigned a = pop(), b = pop();\npush(a);\n"                                          \
  "if (b < 10 && atomicAdd(&owners[b], 1u) == 0) atomicAdd(&mine, 1u);\n"

const std::vector<Pair> pairs = {
    {"a lost update: one thread of each warp adds", "if (leads) mine = mine + 1;",
     "if (leads) atomicAdd(&mine, 1u);", 96, 3},
    {"check, then act: the first thread to come takes it",
     "__shared__ unsigned taken;\nif (t == 0) taken = 0;\n__syncthreads();\n"
     "if (leads && taken == 0) { taken = 1; atomicAdd(&mine, 1u); }",
     "__shared__ unsigned taken;\nif (t == 0) taken = 0;\n__syncthreads();\n"
     "if (leads && atomicCAS(&taken, 0u, 1u) == 0) atomicAdd(&mine, 1u);",
     96, 1},
    {"a maximum by comparing first: the last one to write wins",
     "if (leads && warp > mine) mine = warp;", "if (leads) atomicMax(&mine, warp);", 128, 3},
    {"a loop that takes time instead of a barrier",
     "__shared__ unsigned sum;\n__shared__ volatile unsigned nothing;\n"
     "if (t == 0) sum = nothing = 0;\n__syncthreads();\natomicAdd(&sum, 1u);\nif (!leads) return;\n"
     "unsigned x = 0;\nfor (int k = 0; k < 3000; ++k) x += nothing;\n"
     "if (atomicAdd(&sum, x) != blockDim.x) mine = 1;",
     "__shared__ unsigned sum;\nif (t == 0) sum = 0;\n__syncthreads();\natomicAdd(&sum, 1u);\n"
     "__syncthreads();\nif (!leads) return;\nif (atomicAdd(&sum, 0u) != blockDim.x) mine = 1;",
     96, 0},
    {"a missing barrier: one thread writes at once, other warps read after long work",
     "__shared__ unsigned own[512], ready;\nown[t] = ready = 0;\n__syncthreads();\n"
     "if (t == 0) ready = 1;\nif (warp == 0) return;\n"
     "for (unsigned j = 1; j < 50; ++j) own[t] += j;\n"
     "if (ready == 0) mine = 1;",
     "__shared__ unsigned own[512], ready;\nown[t] = ready = 0;\n__syncthreads();\n"
     "if (t == 0) ready = 1;\n__syncthreads();\nif (warp == 0) return;\n"
     "for (unsigned j = 1; j < 50; ++j) own[t] += j;\n"
     "if (ready == 0) mine = 1;",
     512, 0},
    {"ABA: a stack by compare-and-swap, to which an element comes back", STACK("h", "0"),
     STACK("h % 16", "(h / 16 + 1) * 16"), 96, 3},
    {"a flag that is set before what it promises is there",
     "__shared__ volatile unsigned flag, data;\nif (t == 0) flag = data = 0;\n__syncthreads();\n"
     "if (t == 0) flag = 1, data = 1;\n"
     "if (t % 32 == 1 && flag == 1 && data == 0) mine = 1;",
     "__shared__ volatile unsigned flag, data;\nif (t == 0) flag = data = 0;\n__syncthreads();\n"
     "if (t == 0) data = 1, __threadfence_block(), flag = 1;\n"
     "if (t % 32 == 1 && flag == 1 && data == 0) mine = 1;",
     512, 0},
};
#undef STACK

// Returns whether each block computed the expected value.
bool holds(const Pair& pair, const char* body, const Options& options) {
  const std::string source = std::string(
                                 "__global__ void k(unsigned int* out) {\n"
                                 "[[maybe_unused]] const unsigned t = threadIdx.x, warp = t / 32;\n"
                                 "[[maybe_unused]] const bool leads = t % 32 == 0;\n"
                                 "[[maybe_unused]] unsigned& mine = out[blockIdx.x];\n") +
                             body + "\n}\n";
  const Outcome outcome = run(source, {.grid = {blocks},
                                       .block = {pair.block},
                                       .arguments = {out("out", blocks)},
                                       .options = options});
  CHECK(outcome.last().ending == Ending::completed);
  const std::vector<std::uint32_t> got = outcome.output();
  return std::all_of(got.begin(), got.end(),
                     [&](std::uint32_t value) { return value == pair.expected; });
}

}  // namespace

TEST_CASE("the adversarial schedule exposes mistakes that the others leave to luck") {
  for (const Pair& pair : pairs) {
    const std::string title = pair.title;
    CAPTURE(title);
    CHECK(holds(pair, pair.wrong, under(Schedule::lockstep)));
    CHECK(holds(pair, pair.wrong, under(Schedule::run_to_barrier)));
    int lucky = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      lucky += holds(pair, pair.wrong, under(Schedule::random, seed));
    CHECK(lucky > 0);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      CHECK_FALSE(holds(pair, pair.wrong, under(Schedule::adversarial, seed)));
  }
}

TEST_CASE("threads that wait for each other make progress under the adversarial schedule") {
  struct Row {
    const char *title, *body;
    std::uint32_t block, expected;
  };
  const std::vector<Row> rows = {
      {"a lock",
       "while (atomicCAS(&turn, 0u, 1u) != 0) {}\nout[0] = out[0] + 1;\natomicExch(&turn, 0u);",
       256, 256},
      {"a lock that is looked at first",
       "for (;;) if (*(volatile unsigned*)&turn == 0 && atomicCAS(&turn, 0u, 1u) == 0) "
       "break;\nout[0] = out[0] + 1;\natomicExch(&turn, 0u);",
       256, 256},
      {"a lock, and a count of the tries",
       "while (atomicCAS(&turn, 0u, 1u) != 0) tries[t] = tries[t] + 1;\nout[0] = out[0] + "
       "1;\natomicExch(&turn, 0u);",
       128, 128},
      {"tickets",
       "const unsigned mine = atomicAdd(&ticket, 1u);\nwhile (*(volatile unsigned*)&turn != mine) "
       "{}\nout[0] = out[0] + 1;\natomicAdd(&turn, 1u);",
       1024, 1024},
      {"a chain from the last thread to the first",
       "while (*(volatile unsigned*)&turn != blockDim.x - 1 - t) {}\nout[0] = out[0] + "
       "1;\natomicAdd(&turn, 1u);",
       512, 512},
  };
  for (const Row& row : rows) {
    const std::string title = row.title;
    CAPTURE(title);
    const std::string source =
        std::string(
            "__global__ void k(unsigned int* out) {\nconst unsigned t = threadIdx.x;\n"
            "__shared__ unsigned turn, ticket, tries[128];\n"
            "if (t == 0) turn = ticket = 0;\nif (t < 128) tries[t] = 0;\n__syncthreads();\n") +
        row.body + "\n}\n";
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Options options = under(Schedule::adversarial, seed);
      options.steps_per_thread = 1u << 17;  // the grader's minimum
      const Outcome outcome = run(
          source,
          {.grid = {1}, .block = {row.block}, .arguments = {out("out", 1)}, .options = options});
      CHECK(outcome.last().ending == Ending::completed);
      CHECK(outcome.output()[0] == row.expected);
    }
  }
}

TEST_CASE("correct kernels are correct under every schedule") {
  for (const Pair& pair : pairs) {
    const std::string title = pair.title;
    CAPTURE(title);
    for (const Schedule schedule : all_schedules)
      for (std::uint64_t seed = 1; seed <= 5; ++seed)
        CHECK(holds(pair, pair.right, under(schedule, seed)));
  }
}
