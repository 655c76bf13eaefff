// Tests of reasons to end a launch: barriers that some threads do not reach, endless loops,
// instructions that trap, launches that a GPU would reject.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("barriers that all threads reach") {
  check_rows({
      {"in a loop of one length", "  for (unsigned j = 0; j < 5; ++j) __syncthreads();\n", ""},
      {"in a branch that a whole block takes", "  if (b == 0) __syncthreads();\n", ""},
      {"in a branch on the input's length", "  if (n > 3) __syncthreads(); else __syncthreads();\n",
       ""},
      {"early returns where no barrier follows", "  if (i >= 20) return;\n  atomicAdd(out, 1u);\n",
       ""},
      {"a whole warp returns early from __syncwarp", "  if (t >= 32) return;\n  __syncwarp();\n",
       ""},
      {"returns after the last barrier",
       "  __syncthreads();\n  if (t > 3) return;\n  atomicAdd(out, 1u);\n", ""},
      {"in a helper",
       "__device__ void join() { __syncthreads(); }\n__global__ void k(const char*, unsigned, "
       "unsigned*) { join(); join(); }",
       ""},
      {"in a helper that is unrolled with its loop, and others around it",
       "__device__ void join(unsigned* out) { if (threadIdx.x == 0) atomicAdd(out, 1u); "
       "__syncthreads(); if (threadIdx.x == 1) atomicAdd(out, 1u); __syncthreads(); }\n"
       "__device__ void twice(unsigned* out) { join(out), join(out); }\n"
       "__global__ void k(const char*, unsigned n, unsigned* out) {\n  #pragma unroll\n  for (int "
       "j = 0; j < 4; ++j) twice(out);\n  if (n > 3) join(out); else twice(out);\n}",
       ""},
      {"in a lambda and in templates",
       "template <int N> __device__ void join() { if constexpr (N > 0) join<N - 1>(); "
       "__syncthreads(); }\n"
       "__global__ void k(const char*, unsigned, unsigned*) {\n  const auto both = [](auto f) { "
       "f(), f(); };\n  both([] { __syncthreads(); }), join<3>();\n}",
       ""},
      {"in an unrolled loop",
       "#pragma unroll\n  for (int j = 0; j < 4; ++j) { __syncthreads(); if (t == 0) "
       "atomicAdd(out, 1u); }\n",
       ""},
  });
}

TEST_CASE("barrier divergence") {
  check_rows({
      {"an early return", "  if (i >= 100) return;\n  __syncthreads();  //@barrier\n",
       "barrier_divergence @barrier"},
      {"an early return of one thread",
       "  if (t == 5) return;\n  __syncthreads();  //@barrier\n  atomicAdd(out, 1u);\n",
       "barrier_divergence @barrier"},
      {"under a divergent if", "  if (t < 7) {\n    __syncthreads();  //@barrier\n  }\n",
       "barrier_divergence @barrier"},
      {"if and else each with one",
       "  if (t < 32) {\n    __syncthreads();  //@a\n  } else {\n    __syncthreads();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"within a warp",
       "  if (t % 2) {\n    __syncthreads();  //@a\n  } else {\n    __syncthreads();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"a loop whose length depends on the thread",
       "  for (unsigned j = 0; j < t / 32 + 1; ++j)\n    __syncthreads();  //@barrier\n",
       "barrier_divergence @barrier"},
      {"in each block: one finding",
       "  if (t < 7)\n    __syncthreads();  //@barrier\n",
       "barrier_divergence @barrier",
       {5, 1, 1}},
      {"two on one line",
       "  if (t < 32) { __syncthreads(); atomicAdd(out, 1u); } else { atomicAdd(out, 2u); "
       "__syncthreads(); }  //@both\n",
       "barrier_divergence @both/@both"},
      {"in a helper, from two branches",
       "__device__ void join(unsigned* out) { __syncthreads(); atomicAdd(out, 1u); }\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  if (threadIdx.x < 32) {\n    "
       "join(out);  //@a\n  } else {\n    atomicAdd(out, 2u);\n    join(out);  //@b\n  }\n}",
       "barrier_divergence @a/@b"},
      {"in a helper, from two calls on one line",
       "__device__ void join(unsigned* out) { __syncthreads(); atomicAdd(out, 1u); }\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  if (threadIdx.x < 32) "
       "join(out); else atomicAdd(out, 2u), join(out);  //@both\n}",
       "barrier_divergence @both/@both"},
      {"in a helper of a helper",
       "__device__ void join(unsigned* out) { __syncthreads(); atomicAdd(out, 1u); }\n"
       "__device__ void two_ways(unsigned* out) {\n  if (threadIdx.x % 2) join(out);  //@a\n  else "
       "atomicAdd(out, 2u), join(out);  //@b\n}\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  two_ways(out);\n}",
       "barrier_divergence @a/@b"},
      {"in a helper, and in the kernel",
       "__device__ void join(unsigned* out) { __syncthreads(); atomicAdd(out, 1u); }  //@a\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  if (threadIdx.x < 32) "
       "join(out);\n  else __syncthreads();  //@b\n}",
       "barrier_divergence @a/@b"},
      {"in a helper that returns early for some",
       "__device__ void join() {\n  if (threadIdx.x < 5) return;\n  __syncthreads();  "
       "//@barrier\n}\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  join();\n  atomicAdd(out, "
       "1u);\n}",
       "barrier_divergence @barrier"},
      {"with a count", "  if (t < 7)\n    __syncthreads_count(1);  //@barrier\n",
       "barrier_divergence @barrier"},
  });
}

TEST_CASE("endless loops hit the step limit") {
  const std::vector<Row> rows = {
      {"with loads", "  while (out[0] == 0) {}  //@loop\n", "step_limit @loop"},
      {"with atomics that change something", "  while (atomicAdd(out, 1u) != 0) {}  //@loop\n",
       "step_limit @loop"},
      {"with stores", "  __shared__ unsigned s[64];\n  for (;;) s[t] = 1;  //@loop\n",
       "step_limit @loop"},
      {"without memory", "  for (unsigned j = 0; j < n; j = 0) n += j;  //@loop\n",
       "step_limit @loop"},
      {"without memory, in one thread only",
       "  if (t == 9) for (unsigned j = n; j != 3; j += 2) if (j == 4) break;  //@loop\n",
       "step_limit @loop"},
      {"an empty one, whose line g++ does not tell", "  for (;;) {}  //@loop\n", nullptr},
      {"with a barrier", "  for (;;) __syncthreads();  //@loop\n", "step_limit @loop"},
      {"with __syncwarp", "  for (;;) __syncwarp();  //@loop\n", "step_limit @loop"},
      {"a step of 0",
       "  for (unsigned j = i; j < n; j += 0)  //@loop\n    atomicAdd(&out[data[j] % 16], 1u);  "
       "//@body\n",
       "step_limit @body"},
  };
  for (const Row& row : rows)
    for (const Schedule schedule : all_schedules) {
      // Ends as well, but takes seconds.
      if (row.told == nullptr && schedule == Schedule::random) continue;
      const Outcome outcome = run(source_of(row), launch_of(row, schedule));
      const std::string where = std::string(row.title) + " (" + std::string(name(schedule)) + ")";
      if (row.told != nullptr)
        CHECK_MESSAGE(told(outcome) == row.told, where, ": ", faults(outcome));
      CHECK_MESSAGE(outcome.last().ending == Ending::stopped, where);
      CHECK_MESSAGE(outcome.last().findings.size() <= 2, where, ": ", faults(outcome));
    }
}

TEST_CASE("a loop that prints forever is stopped") {
  const Row row{"", "  for (;;) printf(\"x\");  //@loop\n", ""};
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(source_of(row), launch_of(row, schedule));
    REQUIRE(outcome.last().findings.size() == 1);
    CHECK(outcome.last().findings[0].kind == FindingKind::step_limit);
    CHECK(outcome.last().ending == Ending::stopped);
    CHECK(outcome.last().printed.size() <= 64 * 1024);
  }
}

TEST_CASE("long but finite is within the budget: much arithmetic between few accesses, or none") {
  const std::string arithmetic =
      "  unsigned x = n;\n  for (unsigned k = 0; k < 40000000; ++k) x = x * 1664525u + 1013904223u "
      "^ k;\n";
  const std::string few = "  for (unsigned j = 0; j < 8; ++j) {\n" + arithmetic +
                          "    atomicAdd(&out[x % 16], 1u);\n  }\n",
                    none = arithmetic + "  if (x == 0) out[0] = 1;\n";
  for (const Schedule schedule : {Schedule::lockstep, Schedule::random})
    for (const Row& row : {Row{"few", few.c_str(), "", {1, 1, 1}, {1, 1, 1}},
                           Row{"none, in many blocks", none.c_str(), "", {8, 1, 1}, {1, 1, 1}}})
      CHECK_MESSAGE(faults(run(source_of(row), launch_of(row, schedule))) == "",
                    std::string(row.title), " ", name(schedule));
}

TEST_CASE("long but finite is within the budget: a compare-and-swap loop under full contention") {
  const Outcome outcome = run(R"(
__global__ void k(unsigned int* out) {
  for (int j = 0; j < 20; ++j) {
    unsigned old = *out, assumed;
    do { assumed = old; old = atomicCAS(out, assumed, assumed + 1); } while (old != assumed);
  }
})",
                              {.grid = {2}, .block = {256}, .arguments = {out("out", 1)}});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output()[0] == 2 * 256 * 20);
}

// One instruction divides and widens the result to an index. g++ 13 and later give it the line of
// the index, g++ 12 the line of the division.
#if __GNUC__ >= 13
constexpr const char* index_of_quotient = "illegal_instruction @index";
#else
constexpr const char* index_of_quotient = "illegal_instruction @division";
#endif

TEST_CASE("instructions that stop a kernel are reported with their line") {
  const std::vector<Row> rows = {
      {"division by zero", "  if (i == 3) out[0] = 100 / (int)out[1];  //@here\n",
       "illegal_instruction @here"},
      {"remainder by zero", "  if (i == 3) out[0] = n % out[1];  //@here\n",
       "illegal_instruction @here"},
      {"the one quotient that overflows",
       "  if (i == 3) out[0] = (int)0x80000000 / ((int)out[1] - 1);  //@here\n",
       "illegal_instruction @here"},
      {"__trap that ends the text", "  __trap();  //@here\n", "illegal_instruction @here"},
      {"__trap", "  if (i == 3) __trap();  //@here\n", "illegal_instruction @here"},
      {"assert",
       "#include <assert.h>\n__global__ void k(const char*, unsigned n, unsigned*) {\n  "
       "assert(threadIdx.x != 40);  //@here\n}",
       "illegal_instruction @here"},
      {"__builtin_trap", "  if (i == 3) __builtin_trap();  //@here\n", "illegal_instruction @here"},
      {"in a helper",
       "__device__ __noinline__ unsigned bin(unsigned c, unsigned w) {\n  return c / w;  "
       "//@here\n}\n__global__ void k(const unsigned char* data, unsigned, unsigned* out) {\n  "
       "out[0] = bin(data[0], out[3]);\n}",
       "illegal_instruction @here"},
      {"in a helper that tells an index",
       "__device__ __noinline__ unsigned bin(unsigned c, unsigned w) {\n  return c / w;  "
       "//@division\n}\n__global__ void k(const unsigned char* data, unsigned, unsigned* out) {\n  "
       "out[bin(data[0], out[3])] = 1;  //@index\n}",
       index_of_quotient},
      {"recursion without end",
       "__device__ __noinline__ unsigned down(unsigned x) {  //@here\n  return x == 1 ? 1 : down(x "
       "+ 2) + 1;  //@call\n}\n__global__ void k(const char*, unsigned n, unsigned* out) {\n  "
       "out[0] = down(n);\n}",
       nullptr},
  };
  for (const Row& row : rows)
    for (const Schedule schedule : all_schedules) {
      const Outcome outcome = run(source_of(row), launch_of(row, schedule));
      const std::string where = std::string(row.title) + " (" + std::string(name(schedule)) + ")";
      if (row.told != nullptr)
        CHECK_MESSAGE(told(outcome) == row.told, where, ": ", faults(outcome));
      REQUIRE_MESSAGE(outcome.last().findings.size() == 1, where);
      CHECK_MESSAGE(outcome.last().findings[0].kind == FindingKind::illegal_instruction, where);
      CHECK_MESSAGE(outcome.last().ending == Ending::stopped, where);
    }
}

TEST_CASE("a crash does not hide an earlier race, and each cause is reported once") {
  const Row race{
      "", "  out[2] = t;  //@race\n  if (t == 63) out[0] = 100 / (int)out[1];  //@zero\n", ""};
  const Outcome outcome = run(source_of(race), launch_of(race, Schedule::run_to_barrier));
  CHECK(told(outcome) == "data_race out[2] @race/@race\nillegal_instruction @zero");
}

TEST_CASE("shared memory beyond 48 KiB is refused at its line") {
  const std::string fits =
      "__global__ void k(unsigned* out) {\n  __shared__ unsigned s[12288];  //@array\n  "
      "s[threadIdx.x] = 1;\n  out[0] = s[0];\n}";
  const std::string over =
      "__global__ void k(unsigned* out) {\n  __shared__ unsigned s[12289];  //@array\n  "
      "s[threadIdx.x] = 1;\n  out[0] = s[0];\n}";
  const auto launch = [](const std::string& source, std::uint32_t dynamic) {
    return run(
        source,
        {.grid = {1}, .block = {1}, .arguments = {out("out", 1)}, .dynamic_shared_bytes = dynamic});
  };
  CHECK(faults(launch(fits, 0)) == "");
  for (const Outcome& outcome :
       {launch(over, 0), launch(fits, 4),
        launch("__global__ void k(unsigned* out) {\n  __shared__ char s[1 << 24];  //@array\n  "
               "s[threadIdx.x] = 1;\n  out[0] = s[0];\n}",
               0),
        launch(
            "__global__ void k(unsigned* out) {\n  __shared__ char a[1ull << 62], b[1ull << 62], "
            "c[1ull << 62], d[1ull << 62];  //@array\n  out[0] = a[0] + b[0] + c[0] + d[0];\n}",
            0)}) {
    REQUIRE(outcome.last().findings.size() == 1);
    CHECK(outcome.last().findings[0].kind == FindingKind::shared_memory_limit);
    CHECK(told(outcome).ends_with("@array"));
    CHECK(outcome.last().ending == Ending::stopped);
    CHECK(outcome.output()[0] == 0);  // it never started
  }
  CHECK(told(launch("__global__ void k(unsigned* out) { out[0] = 1; }", 48 * 1024 + 1))
            .starts_with("shared_memory_limit"));
}

TEST_CASE("dynamic shared memory beyond 48 KiB, for a launch that opts in") {
  const std::string source = R"(
extern __shared__ unsigned s[];
__global__ void k(unsigned* out, unsigned last) {
  s[last - threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[last - 63 + threadIdx.x];  //@read
})";
  const auto launch = [&](std::uint32_t bytes, std::uint32_t last, bool opt_in) {
    return run(source, {.grid = {2},
                        .block = {64},
                        .arguments = {out("out", 64), word(last)},
                        .dynamic_shared_bytes = bytes,
                        .options = {.observers = {.races = false}},
                        .shared_opt_in = opt_in});
  };
  constexpr std::uint32_t most = 227 * 1024;
  const Outcome all = launch(most, most / 4 - 1, true);
  CHECK(faults(all) == "");
  CHECK(all.output()[0] == 63);
  CHECK(told(launch(most, most / 4 - 1, false)).starts_with("shared_memory_limit"));
  CHECK(told(launch(most + 4, most / 4 - 1, true)).starts_with("shared_memory_limit"));
  CHECK(told(launch(most - 4, most / 4 - 1, true)).starts_with("out_of_bounds s[58111]"));
}

TEST_CASE("grids and blocks of three dimensions, up to the limits of a device") {
  const std::string source = R"(
__global__ void k(unsigned* out) {
  const bool last_block = blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 &&
                          blockIdx.z == gridDim.z - 1;
  const bool last_thread = threadIdx.x == blockDim.x - 1 && threadIdx.y == blockDim.y - 1 &&
                           threadIdx.z == blockDim.z - 1;
  if (!last_block || !last_thread) return;
  out[0] = blockIdx.x, out[1] = blockIdx.y, out[2] = blockIdx.z;
  out[3] = threadIdx.x, out[4] = threadIdx.y, out[5] = threadIdx.z;
})";
  for (const auto& [grid, block] : {std::pair<Dim3, Dim3>{{1, 65535, 1}, {1, 1, 1}},
                                    {{1, 1, 65535}, {1, 1, 1}},
                                    {{100000, 1, 1}, {1, 1, 1}},
                                    {{3, 5, 7}, {4, 4, 64}},
                                    {{2, 3, 4}, {1, 1024, 1}},
                                    {{7, 1, 2}, {2, 512, 1}}}) {
    const Outcome outcome = run(source, {.grid = grid,
                                         .block = block,
                                         .arguments = {out("out", 6)},
                                         .options = under(Schedule::run_to_barrier)});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output() == std::vector<unsigned>{grid.x - 1, grid.y - 1, grid.z - 1, block.x - 1,
                                                    block.y - 1, block.z - 1});
    CHECK(outcome.last().counters.threads == grid.count() * block.count());
  }
}

TEST_CASE("launches that no GPU would begin are reported as invalid") {
  const std::string source = "__global__ void k(unsigned* out) { out[0] = 1; }";
  for (const auto& [grid, block] : {std::pair<Dim3, Dim3>{{1, 1, 1}, {1025, 1, 1}},
                                    {{1, 1, 1}, {0, 1, 1}},
                                    {{0, 1, 1}, {32, 1, 1}},
                                    {{1, 1, 1}, {1, 1, 65}},
                                    {{1, 1, 1}, {64, 32, 1}},
                                    {{1, 65536, 1}, {1, 1, 1}},
                                    {{1, 1, 65536}, {1, 1, 1}},
                                    {{0x80000000u, 1, 1}, {1, 1, 1}}}) {
    const Outcome outcome =
        run(source, {.grid = grid, .block = block, .arguments = {out("out", 1)}});
    CAPTURE(grid.y);
    CAPTURE(block.x);
    REQUIRE(outcome.last().findings.size() == 1);
    CHECK(outcome.last().findings[0].kind == FindingKind::invalid_launch);
    CHECK(outcome.output()[0] == 0);
  }
}
