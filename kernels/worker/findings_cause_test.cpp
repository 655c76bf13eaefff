// The cause comes first among several findings, with both its lines, under every schedule. Fixing
// it fixes the kernel or reveals the next cause.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

struct Cause {
  const char* title;
  const char* body;       // as in Row.
  const char* first;      // the first finding as told() formats it, without elements.
  const char* says = "";  // a part of its message.
  Dim3 grid = {2, 1, 1};
  Dim3 block = {64, 1, 1};
};

void check_causes(const std::vector<Cause>& causes) {
  for (const Cause& cause : causes)
    for (const Schedule schedule : all_schedules) {
      const Row row{cause.title, cause.body, cause.first, cause.grid, cause.block};
      const Outcome outcome = run(source_of(row), launch_of(row, schedule));
      const std::string where = std::string(cause.title) + " (" + std::string(name(schedule)) + ")",
                        all = faults(outcome);
      REQUIRE_MESSAGE(!outcome.last().findings.empty(), where);
      Outcome first{{outcome.last()}, {}, outcome.source};
      first.launches.back().findings.resize(1);
      CHECK_MESSAGE(reports_alike(told(first), cause.first, Schedule::random), where,
                    ":\nexpected ", std::string(cause.first), "\ngot      ", all);
      CHECK_MESSAGE(first.last().findings[0].message.find(cause.says) != std::string::npos, where,
                    ": ", std::string(cause.says), "\ngot ", all);
    }
}

}  // namespace

TEST_CASE("a race that decides a barrier is reported before the divergence that it causes") {
  const char* barrier = "Put __syncthreads() between them";
  check_causes({
      {"a flag in a loop, set by many threads",
       "  __shared__ int full;\n  if (t == 0) full = 0;\n  __syncthreads();\n  for (unsigned r = "
       "0; r < 4; ++r) {\n    if (t > 40 && r == 2)\n      full = 1;  //@set\n    "
       "__syncthreads();\n"
       "    if (full) {  //@test\n      __syncthreads();\n      if (t == 0) full = 0;\n      "
       "__syncthreads();\n    }\n  }\n",
       "data_race full @set/@test", barrier},
      {"volatile",
       "  __shared__ volatile int full;\n  if (t == 0) full = 0;\n  __syncthreads();\n  for "
       "(unsigned r = 0; r < 4; ++r) {\n    if (t == 9 && r == 2)\n      full = 1;  //@set\n    "
       "__syncthreads();\n"
       "    if (full) {  //@test\n      __syncthreads();\n      if (t == 0) full = 0;\n      "
       "__syncthreads();\n    }\n  }\n",
       "data_race full @set/@test", barrier},
      {"a loop's end",
       "  __shared__ unsigned left;\n  if (t == 0) left = 3;\n  __syncthreads();\n  while (left > "
       "0) {  //@test\n    atomicAdd(out, 1u);\n    __syncthreads();\n    if (t == 0) left = 0;  "
       "//@set\n  }\n  __syncthreads();\n",
       "data_race left @test/@set", barrier},
      {"an early return",
       "  __shared__ bool stop;\n  if (t == 0) stop = false;\n  __syncthreads();\n  if (t == 40) "
       "stop = true;  //@set\n  if (stop) return;  //@test\n  __syncthreads();\n",
       "data_race stop @set/@test", barrier},
      {"in global memory, of each block",
       "__device__ int again[64];\n__global__ void k(const char*, unsigned, unsigned* out) {\n  "
       "const unsigned b = blockIdx.x;\n  int r = 0;\n  do {\n    if (threadIdx.x == 0)\n"
       "      again[b] = ++r < 3;  //@set\n    __syncthreads();\n    atomicAdd(out, 1u);\n  } "
       "while (again[b]);  //@test\n  __syncthreads();\n}",
       "data_race again[] @set/@test", barrier},
      {"by helpers",
       "__device__ __noinline__ bool is_set(const int* f) {\n  return *f != 0;  "
       "//@test\n}\n__device__ void set(int* f) {\n  *f = 1;  //@set\n}\n"
       "__global__ void k(const char*, unsigned, unsigned*) {\n  __shared__ int flag;\n  if "
       "(threadIdx.x == 0) flag = 0;\n  __syncthreads();\n  if (threadIdx.x == 33) set(&flag);\n  "
       "if (is_set(&flag)) __syncthreads();\n  __syncthreads();\n}",
       "data_race flag @test/@set", barrier},
      {"read into a variable first",
       "  __shared__ int flag;\n  if (t == 0) flag = 0;\n  __syncthreads();\n  if (t == 33) flag = "
       "1;  //@set\n  const bool flush = flag == 1 && n > 3;  //@test\n  if (flush) "
       "__syncthreads();\n  __syncthreads();\n",
       "data_race flag @set/@test", barrier},
  });
}

TEST_CASE(
    "an earlier mistake is reported before a divergence, and the first divergence before others") {
  check_causes({
      {"unset memory",
       "  __shared__ unsigned s[64];\n  atomicAdd(out, s[t]);  //@read\n  __syncthreads();\n  if "
       "(t < 7) __syncthreads();\n  __syncthreads();\n",
       "uninitialized_read s[] @read"},
      {"unset memory that decides it",
       "  __shared__ unsigned s[64];\n  if (s[t] == t)  //@read\n    __syncthreads();\n  if (t < "
       "7) return;\n  __syncthreads();\n",
       "uninitialized_read s[] @read"},
      {"a race that has nothing to do with it",
       "  __shared__ unsigned s[64];\n  s[t] = t;  //@write\n  atomicAdd(out, s[63 - t]);  "
       "//@read\n  __syncthreads();\n  if (t < 7) __syncthreads();\n  __syncthreads();\n",
       "data_race s[] @write/@read"},
      {"an index",
       "  if (i == 5) out[16] = 1;  //@index\n  __syncthreads();\n  if (t < 7) return;\n  "
       "__syncthreads();\n",
       "out_of_bounds out[] @index"},
      {"a divergence further down",
       "__device__ void late() {\n  if (threadIdx.x < 9) __syncthreads();\n}\n__global__ void "
       "k(const char*, unsigned, unsigned*) {\n  if (threadIdx.x < 7)\n    __syncthreads();  "
       "//@first\n  else\n"
       "    __syncthreads();  //@second\n  late();\n}",
       "barrier_divergence @first/@second"},
      {"what threads do that have missed a barrier is its consequence",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n  if (t < 32)\n    __syncthreads();  "
       "//@barrier\n  atomicAdd(out, s[63 - t]);\n  __syncthreads();  //@next\n",
       "barrier_divergence @barrier/@next"},
      {"so is each read of what the waiting threads set",
       "  __shared__ unsigned s[64];\n  s[t] = t;\n"
       "  if (t > 40)\n    __syncthreads();  //@barrier\n"
       "  if (t == 3) {\n    const unsigned one = s[50];\n    const unsigned two = s[50];\n"
       "    atomicAdd(out, one << (two & 3));\n  }\n  __syncthreads();  //@next\n",
       "barrier_divergence @barrier/@next"},
  });
}

TEST_CASE("stores of one value are harmless: the race that is not comes first") {
  check_causes({
      {"zeroing by all, then a plain update",
       "  __shared__ unsigned h[7];\n  for (int j = 0; j < 7; ++j) h[j] = 0;\n  __syncthreads();\n "
       " h[data[i] % 7] += 1;  //@update\n  __syncthreads();\n  if (t < 7) atomicAdd(&out[t], "
       "h[t]);\n",
       "data_race h[] @update/@update", "one update is lost"},
      {"zeroing by all, without a barrier",
       "  __shared__ unsigned h[7];\n  for (int j = 0; j < 7; ++j) h[j] = 0;  //@zero\n  "
       "atomicAdd(&h[data[i] % 7], 1u);  //@count\n",
       "data_race h[] @zero/@count", "An atomic write does not help"},
      {"a flag that is read too early",
       "  __shared__ bool any;\n  if (t == 0) any = false;\n  __syncthreads();\n  if (t % 3 == 1) "
       "any = true;  //@set\n  const bool seen = any;  //@read\n  __syncthreads();\n  if (seen) "
       "atomicAdd(out, 1u);\n",
       "data_race any @set/@read"},
      {"in a structure",
       "  __shared__ struct { int a, b; } s;\n  s.b = 5;  //@set\n  if (t == 9) s.a = s.b;  "
       "//@read\n",
       "data_race s[] @set/@read"},
      {"in global memory, between blocks",
       "  out[3] = 7;  //@set\n  __syncthreads();\n  if (i == 70) out[4] = out[3];  //@read\n",
       "data_race out[] @set/@read"},
  });
}

TEST_CASE("an update in several statements is a lost update, at its read and its write") {
  const char* two_lines = "Make the two lines one indivisible step";
  check_causes({
      {"in three",
       "  const unsigned had = out[data[i] % 7];  //@read\n  const unsigned has = had + 1;\n  "
       "out[data[i] % 7] = has;  "
       "//@write\n",
       "data_race out[] @read/@write", two_lines},
      {"in shared memory",
       "  __shared__ unsigned h[7];\n  if (t < 7) h[t] = 0;\n  __syncthreads();\n  unsigned old = "
       "h[data[i] % 7];  "
       "//@read\n  for (unsigned j = 0; j < 9; ++j) old += j == 3;\n  h[data[i] % 7] = old;  "
       "//@write\n",
       "data_race h[] @read/@write", two_lines},
      {"by helpers",
       "__device__ unsigned next(const unsigned* p) {\n  return *p + 1;  //@read\n}\n__device__ "
       "void put(unsigned* p, "
       "unsigned v) {\n  *p = v;  //@write\n}\n__global__ void k(const char*, unsigned, unsigned* "
       "out) {\n  put(out + "
       "2, next(out + 2));\n}",
       "data_race out[] @read/@write", two_lines},
      {"by helpers that are called",
       "__device__ __noinline__ unsigned next(const volatile unsigned* p) {\n  return *p + 1;  "
       "//@read\n}\n__device__ "
       "__noinline__ void put(volatile unsigned* p, unsigned v) {\n  *p = v;  //@write\n}\n"
       "__global__ void k(const char*, unsigned, unsigned* out) {\n  put(out + 2, next(out + "
       "2));\n}",
       "data_race out[] @read/@write", two_lines},
      {"by an exchange",
       "  const unsigned old = out[2];  //@read\n  atomicExch(&out[2], old + 1);  //@write\n",
       "data_race out[] @read/@write", two_lines},
      {"of one thread in each block",
       "  if (t != 3) return;\n  unsigned old = out[2];  //@read\n  old += n;\n  out[2] = old;  "
       "//@write\n",
       "data_race out[] @read/@write", two_lines},
      {"read by most, written by few",
       "  const unsigned old = out[2];  //@read\n  if (t % 9 == 5) out[2] = old + 1;  //@write\n",
       "data_race out[] @read/@write", two_lines},
      {"read by all, written by one thread of each block, behind a barrier",
       "  const unsigned old = out[2];  //@read\n"
       "  const int more = __syncthreads_count(data[i] > 3);\n"
       "  if (t == 0) out[2] = old + more;  //@write\n",
       "data_race out[] @read/@write", two_lines},
      {"read by a whole warp, written by a lane in its middle",
       "  __shared__ unsigned h[2];\n  if (t < 2) h[t] = 0;\n  __syncthreads();\n"
       "  const unsigned old = h[1];  //@read\n"
       "  if (t % 32 == 17) h[1] = old + n;  //@write\n",
       "data_race h[] @read/@write", two_lines},
      {"a maximum",
       "  __shared__ unsigned most;\n  if (t == 0) most = 0;\n  __syncthreads();\n  if (most < "
       "data[i])  //@read\n    "
       "most = data[i];  //@write\n  __syncthreads();\n  if (t == 0) atomicMax(out, most);\n",
       "data_race most @read/@write", "Make the test and the write one"},
      {"a maximum over blocks, if the first one has the largest value",
       "  const unsigned mine = gridDim.x - blockIdx.x;\n  if (t != 0) return;\n"
       "  if (mine > out[1])  //@read\n    out[1] = mine;  //@write\n",
       "data_race out[] @read/@write", "Make the test and the write one"},
  });
}

TEST_CASE("a value that one thread updates for all is a missing barrier, not a lost update") {
  const char* barrier = "Put __syncthreads() between them";
  check_causes({
      {"in a register",
       "  __shared__ unsigned h;\n  if (t == 0) h = 0;\n  __syncthreads();\n"
       "  const unsigned old = h;  //@read\n  if (t == 17) h = old + 1;  //@write\n"
       "  atomicAdd(out, old);\n",
       "data_race h @read/@write", barrier},
      {"in a loop without a barrier at its end",
       "  __shared__ unsigned h;\n  if (t == 0) h = 0;\n  __syncthreads();\n"
       "  for (int r = 0; r < 3; ++r) {\n    const unsigned old = h;  //@read\n    "
       "__syncthreads();\n"
       "    if (t == 0) h = old + 1;  //@write\n  }\n",
       "data_race h @read/@write", barrier},
  });
}

TEST_CASE(
    "an assignment that repeats an atomic's update is a race, with the advice to leave it out") {
  check_causes({
      {"on one line", "  out[data[i] % 7] = atomicAdd(&out[data[i] % 7], 1u) + 1;  //@both\n",
       "data_race out[] @both/@both", "remove the assignment"},
      {"on two",
       "  const unsigned old = atomicAdd(&out[data[i] % 7], 1u);  //@add\n  out[data[i] % 7] = old "
       "+ 1;  //@store\n",
       "data_race out[] @add/@store", "remove the assignment"},
      {"in shared memory, by a helper",
       "__device__ unsigned add(unsigned* p) {\n  return atomicAdd(p, 1u) + 1;  "
       "//@add\n}\n__global__ void k(const char*, unsigned, unsigned*) {\n  __shared__ unsigned "
       "n;\n  if (threadIdx.x == 0) n = 0;\n  __syncthreads();\n"
       "  n = add(&n);  //@store\n}",
       "data_race n @add/@store", "remove the assignment"},
  });
}
