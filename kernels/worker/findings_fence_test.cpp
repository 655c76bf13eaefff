// Tests of data_race in kernels with fences: the classic patterns of locks, tickets and flags are
// correct, and a missing part of one is reported.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr const char* globals =
    "__device__ unsigned part[64 * 64], ticket, lock, locks[2], total, turn;\n";

std::string kernel(const std::string& body) {
  return std::string(globals) +
         "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n"
         "  const unsigned t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t, last_block = "
         "gridDim.x - 1;\n"
         "  __shared__ unsigned s[64];\n  __shared__ bool last;\n" +
         body + "}\n";
}

void check_kernels(const std::vector<Row>& rows) {
  std::vector<std::string> sources;
  sources.reserve(rows.size());
  std::vector<Row> whole;
  for (const Row& row : rows) {
    sources.push_back(kernel(row.body));
    whole.push_back(row);
    whole.back().body = sources.back().c_str();
  }
  check_rows(whole);
}

// A critical section of one thread: `guarded` between acquiring and releasing the lock.
std::string locked(const std::string& lock, const std::string& guarded) {
  return "  for (bool done = false; !done;)\n    if (atomicCAS(&" + lock +
         ", 0, 1) == 0) {\n      __threadfence();\n" + guarded +
         "      __threadfence();\n      atomicExch(&" + lock + ", 0);\n      done = true;\n    }\n";
}

}  // namespace

TEST_CASE("last block done: correct kernels are not reported, whichever threads write and read") {
  check_kernels({
      {"thread 0 writes, fences and takes the ticket; it reads through volatile",
       "  if (t == 0) {\n    part[b] = i + 1;\n    __threadfence();\n    if (atomicInc(&ticket, "
       "last_block) == last_block) {\n      volatile unsigned* p = part;\n"
       "      for (unsigned j = 0; j < gridDim.x; ++j) out[0] += p[j];\n    }\n  }\n",
       "",
       {5, 1, 1}},
      {"all write and fence, thread 0 takes the ticket, all of the last block read",
       "  part[i] = data[i % n];\n  __threadfence();\n  __syncthreads();\n  if (t == 0) last = "
       "atomicAdd(&ticket, 1u) == last_block;\n  __syncthreads();\n"
       "  if (last) {\n    unsigned sum = 0;\n    for (unsigned j = t; j < gridDim.x * blockDim.x; "
       "j += blockDim.x) sum += part[j];\n    atomicAdd(out, sum);\n"
       "    if (t == 0) ticket = 0;\n  }\n",
       "",
       {5, 1, 1}},
      {"all write, thread 0 alone fences",
       "  part[i] = 1;\n  __syncthreads();\n  if (t == 0) {\n    __threadfence();\n    last = "
       "atomicInc(&ticket, last_block) == last_block;\n  }\n  __syncthreads();\n"
       "  if (last) atomicAdd(out, part[(i + 5) % (gridDim.x * blockDim.x)]);\n",
       "",
       {3, 1, 1}},
      {"the last warp of each block",
       "  part[i] = 1;\n  __threadfence_block();\n  __syncwarp();\n  if (t == 0) s[0] = 0;\n  "
       "__syncthreads();\n  __shared__ unsigned done;\n  if (t == 0) done = 0;\n  "
       "__syncthreads();\n"
       "  s[t] = t;\n  __threadfence_block();\n  __syncwarp();\n  if (t % 32 == 0 && "
       "atomicAdd(&done, 1u) == 1)\n    for (int j = 0; j < 64; ++j) atomicAdd(out, s[j]);\n",
       ""},
      {"two tickets that have nothing to do with each other",
       "  if (t == 0) {\n    part[b] = 1;\n    __threadfence();\n    if (atomicInc(&ticket, "
       "last_block) == last_block)\n      for (unsigned j = 0; j < gridDim.x; ++j) out[0] += "
       "part[j];\n  }\n"
       "  if (t == 40) {\n    part[64 + b] = 2;\n    __threadfence();\n    if (atomicInc(&turn, "
       "last_block) == last_block)\n      for (unsigned j = 0; j < gridDim.x; ++j) out[1] += "
       "part[64 + j];\n  }\n",
       "",
       {4, 1, 1}},
  });
}

TEST_CASE("last block done: a missing fence, atomic or barrier is reported") {
  const auto all = [](const char* before, const char* ticket, const char* after) {
    return std::string("  part[i] = 1;  //@write\n") + before +
           "  __syncthreads();\n  if (t == 0) {\n" + ticket + "  }\n" + after +
           "  if (last) atomicAdd(out, part[(i + 70) % (gridDim.x * blockDim.x)]);  //@read\n";
  };
  const char* take = "    last = atomicInc(&ticket, last_block) == last_block;  //@take\n";
  const std::string no_fence =
                        all("  if (b > 90) __threadfence();\n", take, "  __syncthreads();\n"),
                    late = all("", (std::string(take) + "    __threadfence();\n").c_str(),
                               "  __syncthreads();\n"),
                    for_block = all("  __threadfence_block();\n", take, "  __syncthreads();\n"),
                    early = "  __threadfence();\n" + all("", take, "  __syncthreads();\n"),
                    plain =
                        all("  __threadfence();\n", "    last = ticket++ == last_block;  //@take\n",
                            "  __syncthreads();\n"),
                    no_barrier = all("  __threadfence();\n", take, "");
  check_kernels({
      {"the fence", no_fence.c_str(), "data_race part[6] @write/@read", {3, 1, 1}},
      {"the fence, which comes after the ticket",
       late.c_str(),
       "data_race part[6] @write/@read",
       {3, 1, 1}},
      {"the fence, which comes before the data",
       early.c_str(),
       "data_race part[6] @write/@read",
       {3, 1, 1}},
      {"a fence for more than the block",
       for_block.c_str(),
       "data_race part[6] @write/@read",
       {3, 1, 1}},
      {"the atomic function of the ticket", plain.c_str(), nullptr, {3, 1, 1}},
      {"the barrier between ticket and reading", no_barrier.c_str(), nullptr, {3, 1, 1}},
  });
}

TEST_CASE("locks: correct locks are not reported") {
  const std::string of_block =
                        "  if (t == 0) {\n" + locked("lock", "      total += 1;\n") + "  }\n",
                    of_warp = "  if (t % 32 == 0) {\n" +
                              locked("lock", "      out[2] = out[2] + 1;\n") + "  }\n",
                    of_all = locked("lock", "      ++total;\n      out[t % 3] += 1;\n"),
                    two = locked("locks[t % 2]", "      out[t % 2] += 1;\n"),
                    is_volatile = locked(
                        "lock", "      *(volatile unsigned*)out = *(volatile unsigned*)out + 1;\n"),
                    nested = "  if (t == 0) {\n" +
                             locked("locks[0]", locked("locks[1]", "      out[3] += 1;\n")) +
                             "  }\n";
  check_kernels({
      {"one thread of each block", of_block.c_str(), "", {4, 1, 1}},
      {"one lane of each warp", of_warp.c_str(), "", {3, 1, 1}},
      {"every thread", of_all.c_str(), ""},
      {"two locks for two words", two.c_str(), ""},
      {"data behind a volatile pointer", is_volatile.c_str(), ""},
      {"one lock inside of another", nested.c_str(), "", {3, 1, 1}},
      {"atomicExch takes the lock, a volatile store gives it back",
       "  for (bool done = false; !done;)\n    if (atomicExch(&lock, 1) == 0) {\n      total += "
       "2;\n"
       "      __threadfence();\n      *(volatile unsigned*)&lock = 0;\n      done = true;\n    }\n",
       ""},
      {"in shared memory, with fences of the block",
       "  __shared__ int mine;\n  if (t == 0) mine = 0, s[5] = 0;\n  __syncthreads();\n  for (bool "
       "done = false; !done;)\n    if (atomicCAS(&mine, 0, 1) == 0) {\n"
       "      __threadfence_block();\n      s[5] += 1;\n      __threadfence_block();\n      "
       "atomicExch(&mine, 0);\n      done = true;\n    }\n"
       "  __syncthreads();\n  if (t == 0) atomicAdd(out, s[5]);\n",
       ""},
  });
}

TEST_CASE("locks: a missing fence, atomic release or common lock is reported") {
  const auto section = [](const char* lock, const char* before, const char* after,
                          const char* release) {
    return std::string(
               "  if (b > 90) __threadfence();\n  for (bool done = false; !done;)\n    if "
               "(atomicCAS(&") +
           lock + ", 0, 1) == 0) {  //@take\n" + before + "      total += 1;  //@update\n" + after +
           release + "      done = true;\n    }\n";
  };
  const char *fence = "      __threadfence();\n", *block_fence = "      __threadfence_block();\n",
             *give = "      atomicExch(&lock, 0);\n";
  const std::string
      none = section("lock", "", "", give),
      wrong_side = section("lock", fence, "", give),
      late = section("lock", "", "", (std::string(give) + fence).c_str()),
      for_block = section("lock", block_fence, block_fence, give),
      plain = section("lock", "", "", "      lock = 0;  //@give\n"),
      two = section("locks[t % 2]", fence, fence, "      atomicExch(&locks[t % 2], 0);\n"),
      two_volatile =
          section("locks[t % 2]", fence,
                  "      out[1] = *(volatile unsigned*)&out[0];\n      *(volatile unsigned*)&total "
                  "= *(volatile unsigned*)&total + 1;  //@update\n      __threadfence();\n",
                  "      atomicExch(&locks[t % 2], 0);\n");
  check_kernels({
      {"fences", none.c_str(), "data_race total @update/@update"},
      {"the fence before the lock is given back", wrong_side.c_str(),
       "data_race total @update/@update"},
      {"the same: the fence comes too late", late.c_str(), "data_race total @update/@update"},
      {"a fence for more than the block",
       for_block.c_str(),
       "data_race total @update/@update",
       {3, 1, 1}},
      {"an atomic function that gives it back", plain.c_str(), nullptr},
      {"one lock for all: half of the threads have another", two.c_str(),
       "data_race total @update/@update"},
      {"one lock for all, also behind volatile pointers", two_volatile.c_str(), nullptr},
  });
}

TEST_CASE("flags") {
  const char* hand_over =
      "  if (t < 2) {\n    __threadfence();\n    atomicAdd(&turn, 1u);\n  }\n"
      "  if (t == 3) {\n    while (atomicAdd(&turn, 0u) != 2) {}\n    __threadfence();\n    total "
      "= 1;  //@write\n  }\n";
  const std::string
      reads = std::string("  if (t < 3) part[64 + t] = total;  //@read\n") + hand_over,
      updates =
          std::string(
              "  if (t < 3) atomicAdd(&total, t);  //@add\n  if (t < 3) atomicAdd(out, t);\n") +
          hand_over,
      two_read = std::string("  if (t < 2) part[64 + t] = total;\n") + hand_over;
  check_kernels({
      {"what is released in memory that each block has allocated",
       "  if (t != 0) return;\n  unsigned* p = (unsigned*)malloc(4);\n  *p = b;\n  "
       "__threadfence();\n  atomicAdd(p, 1u);\n",
       "",
       {40, 1, 1}},
      {"of two readers, both tell the writer", two_read.c_str(), "", {1, 1, 1}},
      {"of three readers before the launch's first fence, one tells nobody",
       reads.c_str(),
       "data_race total @read/@write",
       {1, 1, 1}},
      {"of three atomic operations before the launch's first fence, one tells nobody",
       updates.c_str(),
       "data_race total @add/@write",
       {1, 1, 1}},
      {"hand-over between two warps",
       "  volatile unsigned* flag = &s[0];\n  if (t == 0) s[0] = 0, s[1] = 0;\n  "
       "__syncthreads();\n  if (t % 32 == 0)\n    for (unsigned round = 0; round < 1; ++round) {\n"
       "      while (*flag != 2 * round + t / 32) {}\n      s[1] = s[1] + t;\n      "
       "__threadfence_block();\n      *flag = 2 * round + t / 32 + 1;\n    }\n"
       "  __syncthreads();\n  if (t == 0) atomicAdd(out, s[1]);\n",
       ""},
      {"the flag counts",
       "  volatile unsigned* flag = &s[0];\n  if (t == 0) s[0] = 0, s[1] = 0;\n  "
       "__syncthreads();\n  if (t % 32 == 0)\n    for (unsigned round = 0; round < 1; ++round) {\n"
       "      while (*flag % 2 != t / 32) {}\n      s[1] = s[1] + t;\n      "
       "__threadfence_block();\n      *flag = *flag + 1;\n    }\n"
       "  __syncthreads();\n  if (t == 0) atomicAdd(out, s[1]);\n",
       ""},
      {"each block waits for the one before",
       "  if (t == 0) {\n    while (*(volatile unsigned*)&turn != b) {}\n    total += b;\n    "
       "__threadfence();\n    *(volatile unsigned*)&turn = b + 1;\n  }\n",
       "",
       {4, 1, 1}},
      {"no fence before the flag",
       "  volatile unsigned* flag = &s[0];\n  if (t == 0) s[0] = 0;\n  __syncthreads();\n  if (t "
       "== 0) {\n    s[1] = 5;  //@write\n    *flag = 1;  //@set\n    __threadfence_block();\n  }\n"
       "  if (t == 32) {\n    while (*flag == 0) {}  //@wait\n    atomicAdd(out, s[1]);  //@read\n "
       " }\n",
       "data_race s[0] @set/@wait\ndata_race s[1] @write/@read"},
      {"the flag is read plainly, and once",
       "  if (t == 0) s[0] = 0;\n  __syncthreads();\n  if (t == 0) {\n    s[1] = 5;\n    "
       "__threadfence_block();\n    *(volatile unsigned*)&s[0] = 1;  //@set\n  }\n"
       "  if (t == 32 && s[0] == 1) atomicAdd(out, s[1]);  //@look\n",
       nullptr},
  });
}

// Block 0 releases `words` words, the last one after its write. Block 1 acquires a word that was
// never released.
TEST_CASE("synchronization through many words is tracked per word, or a note says that it is not") {
  const auto reported = [](unsigned words, Schedule schedule) {
    const std::string source = fmt::format(R"(
__device__ unsigned flags[{0}], other, total;
__global__ void k(unsigned* out) {{
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {{
    if (atomicAdd(&other, 1u) == 0) out[0] = total;  //@read
    return;
  }}
  __threadfence();
  for (unsigned i = 0; i < {0}; ++i) {{
    if (i == {0} - 1) total = 5, __threadfence();  //@write
    atomicExch(&flags[i], 1u);  //@release
  }}
}})",
                                           words);
    Options options = under(schedule);
    options.steps_per_thread = 1u << 20;
    return told(
        run(source, {.grid = {2}, .block = {1}, .arguments = {out("out", 1)}, .options = options}));
  };
  for (const Schedule schedule : all_schedules) {
    CHECK(reported(100, schedule) == "data_race total @read/@write");
    CHECK(reported(3000, schedule) == "data_race total @read/@write");
    CHECK(reported((1u << 16) + 10, schedule) == "unsupported (note) flags @release");
  }
}
