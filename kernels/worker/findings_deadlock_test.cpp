// Tests of threads that wait forever, and of threads that only wait for a long time.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("deadlocks: all remaining lanes only poll") {
  check_rows({
      {"a flag that nobody sets, by volatile reads",
       "  while (*(volatile unsigned*)out == 0) {}  //@loop\n", "deadlock out[0] @loop"},
      {"by atomic operations", "  while (atomicAdd(out, 0u) == 0) {}  //@loop\n",
       "deadlock out[0] @loop"},
      {"a lock that is not given back",
       "  while (atomicCAS(&out[3], 0u, 1u) != 0) {}  //@loop\n  atomicAdd(out, 1u);\n",
       "deadlock out[3] @loop"},
      {"a lock that is given back on one way only",
       "  while (atomicExch(&out[3], 1u) != 0) {}  //@loop\n  if (t % 32 == 1) return;\n  "
       "atomicExch(&out[3], 0u);\n",
       "deadlock out[3] @loop"},
      {"a lock taken twice",
       "  if (t == 0) {\n    while (atomicCAS(&out[3], 0u, 1u) != 0) {}\n    while "
       "(atomicCAS(&out[3], 0u, 1u) != 0) {}  //@loop\n  }\n",
       "deadlock out[3] @loop"},
      {"the holder waits at the barrier",
       "  __shared__ unsigned lock;\n  if (t == 0) lock = 0;\n  __syncthreads();\n  while "
       "(atomicCAS(&lock, 0u, 1u) != 0) {}  //@loop\n"
       "  __syncthreads();  //@barrier\n  atomicExch(&lock, 0u);\n",
       "deadlock lock @loop/@barrier"},
      {"the holder waits for its warp",
       "  while (atomicCAS(&out[3], 0u, 1u) != 0) {}  //@loop\n  __syncwarp();  //@warp\n  "
       "atomicExch(&out[3], 0u);\n",
       "deadlock out[3] @loop/@warp"},
      {"two locks in two orders",
       "  __shared__ unsigned lock[2];\n  if (t < 2) lock[t] = 0;\n  __syncthreads();\n  if (t % "
       "32 == 0) {\n    while (atomicCAS(&lock[t / 32], 0u, 1u) != 0) {}\n"
       "    atomicAdd(&out[t / 32], 1u);\n    while (atomicAdd(&out[1 - t / 32], 0u) == 0) {}\n    "
       "while (atomicCAS(&lock[1 - t / 32], 0u, 1u) != 0) {}  //@loop\n  }\n",
       nullptr,
       {1, 1, 1}},
      {"a word of memory that it has allocated",
       "  if (t != 0) return;\n  unsigned* p = (unsigned*)malloc(4);\n  *p = 0;\n  while "
       "(atomicAdd(p, 0u) == 0) {}  //@loop\n",
       "deadlock malloc@4 @loop",
       {1, 1, 1}},
      {"with other reads in the loop",
       "  while (atomicCAS(&out[data[i] % 2], 0u, 1u) != 0) {}  //@loop\n",
       "deadlock out[0] @loop"},
  });
}

TEST_CASE("deadlocks: the thread that would change the word is in a block that has not run") {
  check_rows({
      {"a flag that the next block sets",
       "  if (b == 0) while (atomicAdd(out, 0u) == 0) {}  //@loop\n  if (b == 1) atomicAdd(out, "
       "1u);  //@set\n",
       "deadlock out[0] @loop/@set"},
      {"a barrier of the whole grid",
       "  if (t == 0) {\n    atomicAdd(out, 1u);  //@arrive\n    while (atomicAdd(out, 0u) < "
       "gridDim.x) {}  //@loop\n  "
       "}\n  __syncthreads();\n",
       "deadlock out[0] @arrive/@loop"},
      {"asleep",
       "  if (t == 0) {\n    atomicAdd(out, 1u);  //@arrive\n    while (atomicAdd(out, 0u) < "
       "gridDim.x) "
       "__nanosleep(20);  //@loop\n  }\n  __syncthreads();\n",
       "deadlock out[0] @arrive/@loop"},
      {"by volatile reads, asleep",
       "  if (t == 0) {\n    atomicAdd(out, 1u);  //@arrive\n    while (*(volatile unsigned*)out < "
       "gridDim.x) "
       "__nanosleep(20);  //@loop\n  }\n  __syncthreads();\n",
       "deadlock out[0] @arrive/@loop"},
      {"the whole block polls",
       "  if (t == 0) atomicAdd(out, 1u);  //@arrive\n  while (__syncthreads_or(t == 0 && "
       "atomicAdd(out, 0u) < "
       "gridDim.x)) {}  //@loop\n",
       "deadlock out[0] @arrive/@loop"},
      {"the whole block polls through shared memory",
       "  __shared__ bool all;\n  if (t == 0) atomicAdd(out, 1u);  //@arrive\n  do {\n    "
       "__syncthreads();\n    if (t "
       "== 0) all = atomicAdd(out, 0u) == gridDim.x;  //@loop\n    __syncthreads();\n  } while "
       "(!all);\n",
       "deadlock out[0] @arrive/@loop"},
      {"turns from the last block to the first",
       "  if (t == 0) while (*(volatile unsigned*)out != gridDim.x - 1 - b) {}  //@loop\n  "
       "__syncthreads();\n  if (t "
       "== 0) atomicAdd(out, 1u);  //@pass\n",
       "deadlock out[0] @loop/@pass",
       {5, 1, 1}},
      {"a chain: each block waits for the next one, with a word for each",
       "  if (t == 0 && b + 1 < gridDim.x) while (atomicCAS(&out[b + 1], 1u, 0u) == 0) {}  "
       "//@loop\n"
       "  if (t == 0) atomicExch(&out[b], 1u);  //@set\n",
       "deadlock out[1] @loop/@set",
       {5, 1, 1}},
      {"the thread that opens the barrier has asked for the same word before",
       "  if (t != 0) return;\n  const unsigned old = atomicAdd(&out[1], 0u);\n"
       "  if (atomicInc(&out[0], gridDim.x - 1) == gridDim.x - 1) atomicAdd(&out[1], 1u);  "
       "//@open\n"
       "  else while (atomicAdd(&out[1], 0u) == old) __nanosleep(9);  //@loop\n",
       "deadlock out[1] @open/@loop"},
      {"a chain that its middle begins",
       "  if (t == 0 && b != 3) while (atomicAdd(&out[b < 3 ? b + 1 : b - 1], 0u) == 0) {}  "
       "//@loop\n"
       "  if (t == 0) atomicExch(&out[b], 1u);  //@set\n",
       "deadlock out[1] @loop/@set",
       {7, 1, 1}},
      {"what only the last of many blocks sets",
       "  if (b == 0 && t == 0) while (atomicCAS(&out[3], 1u, 1u) == 0) {}  //@loop\n  if (b == "
       "gridDim.x - 1 && t == "
       "0) atomicExch(&out[3], 1u);  //@set\n",
       "deadlock out[3] @loop/@set",
       {500, 1, 1},
       {1, 1, 1}},
  });
}

TEST_CASE("the blocks that were only looked at leave no trace") {
  const Row row{"",
                "  if (t == 0) {\n    atomicAdd(out, 1u);\n    while (atomicAdd(out, 0u) < "
                "gridDim.x) {}  //@loop\n  }\n  __syncthreads();\n",
                ""};
  const Outcome outcome = run(source_of(row), launch_of(row, Schedule::lockstep));
  REQUIRE(outcome.last().findings.size() == 1);
  CHECK(outcome.last().findings[0].message ==
        "thread 0 of block 0 waits for out[0], which thread 0 of block 1 would change (line 4); "
        "CUDA guarantees that blocks run at the same time only for a cooperative launch. Count "
        "finished blocks with atomicAdd, and let the last one do the rest");
  CHECK(outcome.output()[0] == 1);
}

TEST_CASE("locks and flags that work, under every schedule") {
  const std::vector<Row> rows = {
      {"a spin lock among the lanes of a warp: the winner goes on while the others spin",
       "  while (atomicCAS(&out[3], 0u, 1u) != 0) {}\n  atomicAdd(out, 1u);\n  atomicExch(&out[3], "
       "0u);\n",
       ""},
      {"a lock in a loop with a flag",
       "  for (bool done = false; !done;)\n    if (atomicExch(&out[3], 1u) == 0) {\n      "
       "atomicAdd(out, 1u);\n      atomicExch(&out[3], 0u);\n      done = true;\n    }\n",
       ""},
      {"one warp waits for another",
       "  if (t < 32) while (atomicAdd(out, 0u) < (b + 1) * 32) {}\n  else atomicAdd(out, 1u);\n",
       ""},
      {"blocks that take turns by tickets",
       "  __shared__ unsigned mine;\n  if (t == 0) {\n    mine = atomicAdd(&out[1], 1u);\n    "
       "while (atomicAdd(&out[2], 0u) != mine) __nanosleep(20);\n    __threadfence();\n  }\n  "
       "__syncthreads();\n"
       "  atomicAdd(out, 1u);\n  __syncthreads();\n  if (t == 0) {\n    __threadfence();\n    "
       "atomicAdd(&out[2], 1u);\n  }\n",
       "",
       {5, 1, 1}},
      {"one warp waits long for another: more than its turns",
       "  __shared__ unsigned flag;\n  if (t == 0) flag = 0;\n  __syncthreads();\n  if (t / 32 != "
       "3) {\n    while (atomicAdd(&flag, 0u) == 0) {}\n  } else if (t % 32 == 0) {\n"
       "    for (unsigned j = 0; j < 30000; ++j) atomicAdd(&out[1], 1u);\n    atomicExch(&flag, "
       "1u);\n  }\n",
       "",
       {1, 1, 1},
       {128, 1, 1}},
      {"one warp waits long for another, whose lanes meet again and again",
       "  __shared__ unsigned flag;\n  if (t == 0) flag = 0;\n  __syncthreads();\n"
       "  if (t / 32 != 3) {\n    while (atomicAdd(&flag, 0u) == 0) {}\n  } else {\n"
       "    for (unsigned j = 0; j < 9000; ++j) {\n"
       "      if (t % 32 == j % 32) atomicAdd(&out[1], 1u);\n      __syncwarp();\n    }\n"
       "    if (t % 32 == 0) atomicExch(&flag, 1u);\n  }\n",
       "",
       {1, 1, 1},
       {128, 1, 1}},
  };
  check_rows(rows);
}

// A warp that has used up its budget is observed in the middle of its turn. Its lanes may end
// there.
TEST_CASE("lanes that end while others poll do not crash the launch") {
  const std::string source =
      "__global__ void k(const char* data, unsigned n, unsigned* out) {\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
      "  unsigned* const count = &out[data[i] % 7];\n  const unsigned seen = *count;\n"
      "  while (atomicCAS(count, seen, seen + 1) != seen) {}\n}\n";
  for (std::uint64_t seed = 4; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Outcome outcome = run(source, {{21, 1, 1},
                                         {100, 1, 1},
                                         {in("data", mixed_bytes(2003)), word(2003), out("out", 7)},
                                         0,
                                         under(Schedule::random, seed)});
    CHECK(outcome.last().ending != Ending::crashed);
  }
}

TEST_CASE("an endless loop that does not poll, or that changes memory, is not a deadlock") {
  check_rows({
      {"a forgotten stride",
       "  for (unsigned j = i; j < n; j += 0)\n    if (data[j] == 255 && n == 7) atomicAdd(out, "
       "1u);  //@loop\n",
       "step_limit @loop"},
      {"a flag read plainly", "  while (out[0] == 0) {}  //@loop\n", "step_limit @loop"},
      {"one warp reads for ever, a lane of another one updates for ever",
       "  unsigned v = 0;\n  for (unsigned j = 0; j < 1; j += 0) t < 32 ? v += data[t] : t == 32 ? "
       "atomicAdd(&out[1], 1u) : ++j;  //@loop\n  if (t == 0) out[0] = v;\n",
       "step_limit @loop",
       {1, 1, 1},
       {64, 1, 1}},
      {"a warp updates for ever, and a lane of the next one asks for ever",
       "  for (unsigned j = 0; j < 1; j += data[0] / 256) atomicAdd(&out[1], t < 32 ? 1u : 0u);  "
       "//@loop\n",
       "step_limit @loop",
       {1, 1, 1},
       {33, 1, 1}},
      {"updates for ever of what it has allocated",
       "  if (t != 0) return;\n  unsigned* p = (unsigned*)malloc(4);\n  *p = 0;\n  for (;;) "
       "atomicAdd(p, 1u);  //@loop\n",
       "step_limit @loop",
       {1, 1, 1}},
      {"a lane that works for ever while others ask",
       "  if (t == 0) for (;;) atomicAdd(&out[1], 1u);  //@loop\n  while (atomicAdd(out, 0u) == 0) "
       "{}  //@ask\n",
       nullptr},
  });
}

TEST_CASE("the message says which thread waits for what, and what the others do") {
  const Row row{"",
                "  if (t == 5) while (atomicAdd(out, 0u) == 0) {}  //@loop\n  if (t < 32) "
                "return;\n  __syncthreads();  //@barrier\n",
                "",
                {1, 1, 1}};
  const Outcome outcome = run(source_of(row), launch_of(row, Schedule::lockstep));
  REQUIRE(told(outcome) == "deadlock out[0] @loop/@barrier");
  CHECK(outcome.last().findings[0].message ==
        "thread 5 of block 0 polls out[0] forever, and no thread can change it: of the others in "
        "its block, 32 wait for the rest (line 5), 31 have ended. Release a lock on every path and "
        "before the next barrier; continue with the value that a compare-and-swap returned; do not "
        "wait for another block");
  CHECK(outcome.last().ending == Ending::stopped);
}
