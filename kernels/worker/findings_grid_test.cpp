// Tests of grid_group::sync(): results, the order of accesses, and findings if some threads of the
// grid do not reach it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numeric>

#include "kernels/worker/protocol/protocol.h"
#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

const std::string groups = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";

// Checks rows of kernels k(data, n, out) whose body may use `t`, `b`, `i` (the rank in the grid)
// and `grid`.
void check_grid_rows(std::vector<Row> rows) {
  std::vector<std::string> sources;
  for (const Row& row : rows) {
    const std::string body = row.body;
    sources.push_back(
        groups +
        (body.find("__global__") != std::string::npos
             ? body
             : "__global__ void k(const unsigned char* data, unsigned int n, unsigned int* out) "
               "{\n  const cg::grid_group grid = cg::this_grid();\n"
               "  const unsigned int t = threadIdx.x, b = blockIdx.x, i = grid.thread_rank();\n" +
                   body + "}\n"));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].body = sources[r].c_str();
  check_rows(rows);
}

// Runs the body on `blocks` blocks of `threads` threads.
Outcome on_grid(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                std::size_t outputs, const Options& options, const std::string& before = {}) {
  const std::string source =
      groups + before +
      "__global__ void k(const unsigned char* data, unsigned int n, unsigned int* out) {\n  const "
      "cg::grid_group grid = cg::this_grid();\n"
      "  const unsigned int t = threadIdx.x, b = blockIdx.x, i = grid.thread_rank();\n" +
      body + "}\n";
  return run(source, {.grid = {blocks},
                      .block = {threads},
                      .arguments = {in("data", mixed_bytes(3000)), word(3000), out("out", outputs)},
                      .options = options});
}

void check_result(const std::string& title, const std::string& body,
                  const std::vector<std::uint32_t>& expected, std::uint32_t blocks,
                  std::uint32_t threads, const std::string& before = {}) {
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        on_grid(body, blocks, threads, expected.size(), under(schedule, 3), before);
    const std::string where = title + " (" + std::string(name(schedule)) + ")";
    CHECK_MESSAGE(faults(outcome) == "", where);
    CHECK_MESSAGE(outcome.output() == expected, where);
  }
}

std::vector<std::uint32_t> histogram_of(std::size_t bins) {
  std::vector<std::uint32_t> counts(bins);
  for (const std::uint8_t byte : mixed_bytes(3000)) ++counts[byte % bins];
  return counts;
}

std::string everything(Outcome outcome) {
  for (Observation& o : outcome.launches) o.host_elapsed_s = 0;
  worker::Answer answer;
  answer.observations = outcome.launches;
  return worker::to_text(answer) + fmt::format("{}", fmt::join(outcome.output(), " "));
}

const std::string two_phases = R"(
  __shared__ unsigned part[16];
  if (t < 16) part[t] = 0;
  if (i < 16) out[i] = 7;
  __syncthreads();
  for (unsigned j = i; j < n; j += grid.size()) atomicAdd(&part[data[j] % 16], 1u);
  if (i < 16) out[i] = 0;
  grid.sync();
  if (t < 16) atomicAdd(&out[t], part[t]);
)";

}  // namespace

TEST_CASE("kernels with grid barriers compute correct results") {
  check_result("a histogram in two phases", two_phases, histogram_of(16), 5, 48);
  check_result("each block's sum, then one thread adds them", R"(
  __shared__ unsigned sum;
  if (t == 0) sum = 0;
  __syncthreads();
  for (unsigned j = i; j < n; j += grid.num_threads()) atomicAdd(&sum, 1u);
  __syncthreads();
  if (t == 0) out[1 + b] = sum;
  grid.sync();
  if (i == 0) for (unsigned j = 0; j < grid.num_blocks(); ++j) out[0] += out[1 + j];
  grid.sync();
  if (i > 0 && i <= grid.num_blocks()) out[i] = out[0];
)",
               std::vector<std::uint32_t>(5, 3000), 4, 70);
  std::vector<std::uint32_t> ring(60), next(60);
  std::iota(ring.begin(), ring.end(), 0u);
  for (int round = 0; round < 7; ++round) {
    for (std::uint32_t x = 0; x < 60; ++x) next[x] = ring[(x + 1) % 60] + 1;
    std::swap(ring, next);
  }
  check_result("neighbours pass on in a loop of barriers", R"(
  unsigned *from = here, *to = there;
  from[i] = i;
  for (int round = 0; round < 7; ++round) {
    grid.sync();
    to[i] = from[(i + 1) % grid.size()] + 1;
    unsigned* other = from;
    from = to, to = other;
  }
  out[i] = from[i];
)",
               ring, 3, 20, "__device__ unsigned here[60], there[60];\n");
}

TEST_CASE("a block that waits keeps its shared memory, its threads' variables and its place") {
  std::vector<std::uint32_t> expected(4 * 40);
  for (std::uint32_t i = 0; i < expected.size(); ++i)
    expected[i] = 1000 * (i / 40) + 3 * (i % 40) + 5;
  check_result("local arrays, shared arrays, block barriers in between", R"(
  __shared__ unsigned s[40];
  __shared__ unsigned char narrow[41];
  unsigned local[8];
  for (unsigned j = 0; j < 8; ++j) local[j] = t + j;
  s[t] = 1000 * b + t;
  narrow[t + 1] = 5;
  grid.sync();
  __syncthreads();
  const unsigned neighbour = s[(t + 1) % 40];
  __syncthreads();
  s[(t + 1) % 40] = neighbour;
  grid.sync();
  out[i] = s[t] + local[n % 8] + narrow[t + 1] + local[(n + 1) % 8] - 1;
)",
               expected, 4, 40);
  check_result(
      "threads that return behind the last barrier; barriers of a warp; helpers", R"(
  cg::sync(grid);
  if (t % 3 == 0) return;
  __syncwarp(__activemask());
  store(out, i);
)",
      [] {
        std::vector<std::uint32_t> e(3 * 64);
        for (std::uint32_t i = 0; i < e.size(); ++i) e[i] = i % 64 % 3 == 0 ? 0 : i;
        return e;
      }(),
      3, 64,
      "__device__ __noinline__ void store(unsigned* out, unsigned i) { "
      "cg::this_grid().block_rank() < 9 ? out[i] = i : 0u; }\n");
  check_result(
      "frames of functions that call each other", R"(
  out[i] = down(grid, 4, i);
)",
      [] {
        std::vector<std::uint32_t> e(3 * 33);
        for (std::uint32_t i = 0; i < e.size(); ++i) e[i] = 5 * i;
        return e;
      }(),
      3, 33,
      "__device__ __noinline__ unsigned down(const cg::grid_group& grid, unsigned left, unsigned "
      "x) {\n"
      "  grid.sync();\n  return x + (left > 0 ? down(grid, left - 1, x) : 0);\n}\n");
}

TEST_CASE("a grid's shape, and whether it may wait") {
  const auto value = [](const std::string& expression, bool waits) {
    const Outcome outcome =
        run(groups +
                "__global__ void k(unsigned* out) {\n  const cg::grid_group grid = "
                "cg::this_grid();\n  " +
                (waits ? "grid.sync();\n  " : "") +
                "if (grid.thread_rank() == 77) out[0] = " + expression + ";\n}",
            {.grid = {2, 3, 2}, .block = {4, 2, 2}, .arguments = {out("out", 1)}});
    CHECK(faults(outcome) == "");
    return outcome.output()[0];
  };
  CHECK(value("grid.is_valid()", true) == 1);
  CHECK(value("grid.is_valid()", false) == 0);
  CHECK(value("grid.size() + grid.num_threads() + grid.num_blocks()", true) == 192 + 192 + 12);
  CHECK(value("grid.block_rank()", true) == 4);  // thread 13 of the grid
  CHECK(value("grid.dim_blocks().y * 10 + grid.group_dim().z", true) == 32);
  CHECK(value("grid.dim_threads().x * 100 + grid.dim_threads().y * 10 + grid.dim_threads().z",
              true) == 800 + 60 + 4);
  CHECK(value("grid.thread_index().x * 100 + grid.thread_index().y * 10 + grid.thread_index().z",
              true) == 100 + 50 + 1);
  CHECK(value("grid.block_index().y", true) == 2);
  CHECK(value("cg::thread_rank(grid) + cg::group_size(grid)", true) == 77 + 192);
}

TEST_CASE("a grid barrier orders accesses of different blocks; a block barrier does not") {
  check_grid_rows({
      {"a write, and a read by another block",
       "  if (i == 0) out[0] = 1;\n  grid.sync();\n  if (i == 100) out[1] = out[0];\n", ""},
      {"a read, and a write by another block",
       "  if (i == 100) out[1] = out[0];\n  grid.sync();\n  if (i == 0) out[0] = 1;\n", ""},
      {"plain and atomic",
       "  if (i == 100) out[0] = 5;\n  grid.sync();\n  atomicAdd(out, 1u);\n  grid.sync();\n  if "
       "(i == 3) out[0] = 0;\n",
       ""},
      {"none",
       "  if (i == 0) out[0] = 1;  //@write\n  if (i == 100) out[1] = out[0];  //@read\n  "
       "grid.sync();\n",
       "data_race out[0] @write/@read"},
      {"of the block only",
       "  if (i == 0) out[0] = 1;  //@write\n  __syncthreads();\n  if (i == 100) out[1] = out[0];  "
       "//@read\n  grid.sync();\n",
       "data_race out[0] @write/@read"},
      {"before both",
       "  grid.sync();\n  if (i == 0) out[0] = 1;  //@write\n  if (i == 100) out[1] = out[0];  "
       "//@read\n",
       "data_race out[0] @write/@read"},
      {"between two, with accesses in front and behind",
       "  if (i == 100) out[0] = 1;\n  grid.sync();\n  if (i == 0) out[0] = 1;  //@write\n  "
       "__syncthreads();\n"
       "  if (i == 100) out[1] = out[0];  //@read\n  grid.sync();\n  if (t == 5) out[2 + b] = "
       "out[0];\n",
       "data_race out[0] @write/@read"},
      {"within a block, between two",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  grid.sync();\n  s[t] = t + 1;  //@write\n  if "
       "(t == 9) out[b] = s[3];  //@read\n  grid.sync();\n",
       "data_race s[3] @write/@read"},
      {"shared memory that another block has written",
       "  __shared__ unsigned s;\n  if (b == 0 && t == 0) s = 1;\n  grid.sync();\n  if (t == 5) "
       "out[b] = s;  //@read\n",
       "uninitialized_read s @read"},
      {"shared memory in part",
       "  __shared__ unsigned char s[8];\n  if (t < 7 + b) s[t] = 1;\n  grid.sync();\n  if (t < 8) "
       "atomicAdd(&out[t], (unsigned)s[t]);  //@read\n",
       "uninitialized_read s[7] @read"},
      {"with fences",
       "  if (i == 0) out[0] = 1;\n  __threadfence();\n  grid.sync();\n  if (i == 100) out[1] = "
       "out[0];\n",
       ""},
      {"with fences, behind both",
       "  __threadfence();\n  if (i == 0) out[0] = 1;  //@write\n  if (i == 100) out[1] = out[0];  "
       "//@read\n  grid.sync();\n",
       "data_race out[0] @write/@read"},
      {"with fences, before both",
       "  __threadfence();\n  grid.sync();\n  if (i == 0) out[0] = 1;  //@write\n  if (i == 100) "
       "out[1] = out[0];  //@read\n",
       "data_race out[0] @write/@read"},
      {"with fences, shared memory",
       "  __shared__ unsigned s;\n  if (b == 0 && t == 0) s = 1;\n  __threadfence();\n  "
       "grid.sync();\n  if (t == 5) out[b] = s;  //@read\n",
       "uninitialized_read s @read"},
      {"the same value by all, twice",
       "  if (t == 0) out[0] = 1;  //@a\n  grid.sync();\n  if (t == 0) out[0] = 2;  //@b\n",
       nullptr},
      {"allocated memory, handed over",
       "__device__ unsigned* memory;\n__global__ void k(const char*, unsigned, unsigned* out) {\n  "
       "const auto grid = cg::this_grid();\n"
       "  if (grid.thread_rank() == 0) memory = (unsigned*)malloc(256), memory[3] = 1;\n  "
       "grid.sync();\n  if (grid.thread_rank() == 100) out[0] = memory[3], free(memory);\n}",
       ""},
      {"allocated memory, used behind its end",
       "__device__ unsigned* memory;\n__global__ void k(const char*, unsigned, unsigned* out) {\n  "
       "const auto grid = cg::this_grid();\n"
       "  if (grid.thread_rank() == 0) memory = (unsigned*)malloc(256), memory[3] = 1, "
       "free(memory);\n  grid.sync();\n  if (grid.thread_rank() == 100) out[0] = memory[3];  "
       "//@read\n}",
       "out_of_bounds malloc@6[3] @read"},
      {"another thread's local variable",
       "__device__ unsigned* local;\n__global__ void k(const char*, unsigned n, unsigned* out) {\n "
       " const auto grid = cg::this_grid();\n"
       "  unsigned own[2] = {n, n};\n  if (grid.thread_rank() == 0) local = own;\n  grid.sync();\n "
       " if (grid.thread_rank() == 100) out[0] = *local;  //@read\n  grid.sync();\n}",
       nullptr},
  });
}

TEST_CASE("the message of a race between blocks that could wait for each other") {
  const Outcome outcome =
      on_grid("  if (i == 0) out[0] = 1;\n  if (i == 9) out[1] = out[0];\n  grid.sync();\n", 2, 8,
              2, under(Schedule::lockstep));
  REQUIRE(outcome.last().findings.size() == 1);
  CHECK(outcome.last().findings[0].message ==
        "thread 1 of block 1 reads out[0] (line 7) while thread 0 of block 0 writes it (line 6); "
        "nothing orders the two. Put grid.sync() between them, where every thread of the grid "
        "reaches it");
}

TEST_CASE("grid barriers that all threads of the grid reach") {
  check_grid_rows({
      {"in a loop of one length", "  for (unsigned j = 0; j < 5; ++j) grid.sync();\n", ""},
      {"in a branch on the input's length", "  if (n > 3) grid.sync(); else grid.sync();\n", ""},
      {"asked for first", "  if (grid.is_valid()) grid.sync();\n", ""},
      {"in a helper",
       "__device__ void join() { cg::this_grid().sync(); }\n__global__ void k(const char*, "
       "unsigned, unsigned*) { join(); join(); }",
       ""},
      {"in an unrolled loop",
       "#pragma unroll\n  for (int j = 0; j < 4; ++j) { grid.sync(); if (i == 0) atomicAdd(out, "
       "1u); }\n",
       ""},
      {"with barriers of some blocks",
       "  if (b == 1) __syncthreads();\n  grid.sync();\n  if (b == 0) __syncthreads();\n", ""},
      {"one block", "  grid.sync();\n  if (t == 0) out[0] = 1;\n", "", {1, 1, 1}},
      {"blocks of one thread", "  grid.sync();\n  out[b] = 1;\n", "", {16, 1, 1}, {1, 1, 1}},
  });
}

TEST_CASE("grid barriers that some threads miss") {
  check_grid_rows({
      {"an early return of some of the last block",
       "  if (i >= 100) return;\n  grid.sync();  //@barrier\n", "barrier_divergence @barrier"},
      {"an early return of one thread",
       "  if (i == 5) return;\n  grid.sync();  //@barrier\n  atomicAdd(out, 1u);\n",
       "barrier_divergence @barrier"},
      {"an early return of a whole block", "  if (b == 1) return;\n  grid.sync();  //@barrier\n",
       "barrier_divergence @barrier"},
      {"and of the first",
       "  if (b == 0) return;\n  grid.sync();  //@barrier\n",
       "barrier_divergence @barrier",
       {5, 1, 1}},
      {"under a divergent if", "  if (t < 7) {\n    grid.sync();  //@barrier\n  }\n",
       "barrier_divergence @barrier"},
      {"each block at another one",
       "  if (b == 0) {\n    grid.sync();  //@a\n  } else {\n    grid.sync();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"each warp at another one",
       "  if (t < 32) {\n    grid.sync();  //@a\n  } else {\n    grid.sync();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"one of the grid, one of the block",
       "  if (t < 32) {\n    grid.sync();  //@a\n  } else {\n    __syncthreads();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"and the other way round",
       "  if (t < 32) {\n    __syncthreads();  //@a\n  } else {\n    grid.sync();  //@b\n  }\n",
       "barrier_divergence @a/@b"},
      {"a loop whose length depends on the block",
       "  for (unsigned j = 0; j < b + 1; ++j)\n    grid.sync();  //@barrier\n",
       "barrier_divergence @barrier",
       {4, 1, 1}},
      {"in a helper, from two branches",
       "__device__ void join(unsigned* out) { cg::this_grid().sync(); atomicAdd(out, 1u); }\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  if (blockIdx.x == 0) {\n    "
       "join(out);  //@a\n  } else {\n    atomicAdd(out, 2u);\n    join(out);  //@b\n  }\n}",
       "barrier_divergence @a/@b"},
  });
  const Outcome missed =
      on_grid("  if (b == 2) return;\n  grid.sync();\n", 4, 8, 1, under(Schedule::lockstep));
  REQUIRE(missed.last().findings.size() == 1);
  CHECK(missed.last().findings[0].message ==
        "thread 0 of block 0 waits at the barrier (line 7), but thread 0 of block 2 has already "
        "exited. Every thread of the grid must reach every grid.sync() the same number of times: "
        "guard work with `if` instead of returning early");
}

TEST_CASE("a launch that ends early while blocks wait") {
  check_grid_rows({
      {"out of bounds behind the barrier",
       "  grid.sync();\n  if (i == 70) out[100000000] = 1;  //@write\n",
       "out_of_bounds out[100000000] @write"},
      {"division by zero", "  grid.sync();\n  if (i == 70) out[0] = 100 / (int)out[1];  //@here\n",
       "illegal_instruction @here"},
      {"barriers without end", "  for (;;) grid.sync();  //@loop\n", "step_limit @loop"},
      {"a block that waits for a later one",
       "  volatile unsigned* flag = out;\n  grid.sync();\n  if (i == 0) while (*flag == 0) {}  "
       "//@loop\n  if (i == 64) atomicExch(out, 1u);\n",
       nullptr},
  });
  const Outcome stray = on_grid("  grid.sync();\n  if (i == 9) out[100000000] = 1;\n", 4, 8, 1,
                                under(Schedule::lockstep));
  REQUIRE(stray.last().findings.size() == 1);
  CHECK(stray.last().findings[0].thread->block.x == 1);
  CHECK(stray.last().findings[0].thread->thread.x == 1);
}

TEST_CASE(
    "twice the same seed: the same histogram, findings and counters, to the byte, also with grid "
    "barriers") {
  const std::string racy = two_phases +
                           "  out[data[i] % 4] += b;\n  grid.sync();\n  if (t == 0) printf(\"%u "
                           "\", b);\n  out[5] = out[6] + i;\n";
  for (const Schedule schedule : all_schedules)
    CHECK(everything(on_grid(racy, 3, 40, 16, under(schedule, 5))) ==
          everything(on_grid(racy, 3, 40, 16, under(schedule, 5))));
}

TEST_CASE("counters and records of a kernel with grid barriers") {
  const Outcome outcome = on_grid(two_phases, 5, 48, 16, under(Schedule::lockstep));
  CHECK(outcome.last().counters.barriers ==
        5 * 2 * 2);  // 5 blocks of 2 warps at one barrier per kind
  Options options = under(Schedule::lockstep);
  options.recorded_steps = 64;
  const Outcome steps = on_grid(
      "  __shared__ unsigned s;\n  if (t == 0) s = 10 + b;\n  grid.sync();\n  if (t == 0) s += "
      "1;\n",
      3, 4, 1, options);
  std::string text;
  for (const RecordedStep& s : steps.last().steps)
    text += fmt::format("b{} {} {}->{}; ", s.block, name(s.operation), s.before, s.after);
  const std::uint32_t unset = 0xcdcdcdcd;
  CHECK(
      text ==
      fmt::format("b0 store {0}->10; b1 store {0}->11; b2 store {0}->12; b0 load 10->10; b0 store "
                  "10->11; b1 load 11->11; b1 store 11->12; b2 load 12->12; b2 store 12->13; ",
                  unset));
}

TEST_CASE("a grid that a GPU cannot hold at once is refused, with the numbers") {
  const auto launch = [](std::uint32_t blocks, std::uint32_t threads, std::uint32_t dynamic,
                         const std::string& body = "cg::this_grid().sync();") {
    return run(groups + "extern __shared__ unsigned s[];\n__global__ void k(unsigned* out) {\n  " +
                   body + "\n  if (threadIdx.x == 0) atomicAdd(out, 1u);\n}",
               {.grid = {blocks},
                .block = {threads},
                .arguments = {out("out", 1)},
                .dynamic_shared_bytes = dynamic,
                .options = under(Schedule::run_to_barrier)});
  };
  const Outcome fits = launch(132 * 32, 64, 0);
  CHECK(faults(fits) == "");
  CHECK(fits.output()[0] == 132 * 32);
  const Outcome over = launch(132 * 32 + 1, 64, 0);
  REQUIRE(over.last().findings.size() == 1);
  CHECK(over.last().findings[0].kind == FindingKind::invalid_launch);
  CHECK(over.last().findings[0].message ==
        "the kernel calls grid.sync(), so all 4225 blocks must be resident at once, but the GPU "
        "holds 4224: 132 multiprocessors, 32 blocks of 64 threads and 0 bytes of shared memory on "
        "each (h200). Launch fewer blocks, and let each thread take several elements");
  CHECK(over.output()[0] == 0);
  CHECK(faults(launch(132 * 4, 64, 40 * 1024)) == "");
  CHECK(told(launch(132 * 5 + 1, 64, 40 * 1024)) == "invalid_launch 0");
  CHECK(faults(launch(132 * 32 + 1, 64, 0, "")) == "");
}

TEST_CASE("a grid that holds more than the emulator keeps is named") {
  const Outcome outcome = on_grid(
      "  unsigned char big[100000];\n  for (unsigned j = 0; j < 3; ++j) big[data[j]] = t;\n  "
      "grid.sync();\n  out[i] = big[n % 256];\n",
      96, 64, 96 * 64, under(Schedule::run_to_barrier));
  REQUIRE(outcome.last().findings.size() == 1);
  CHECK(outcome.last().findings[0].kind == FindingKind::unsupported);
  CHECK(outcome.last().findings[0].message.find(
            "of local and shared memory, more than the emulator keeps for a grid (512 MiB)") !=
        std::string::npos);
  CHECK(outcome.last().ending == Ending::stopped);
}
