// Tests of wrong use of warp-level functions (invalid_mask), and of correct but unusual use.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("masks that are right") {
  check_rows({
      {"the whole warp",
       "  out[t % 16] = __any_sync(0xffffffff, 0);\n",
       nullptr,
       {1, 1, 1},
       {32, 1, 1}},
      {"a vote makes the mask of a branch",
       "  const unsigned m = __ballot_sync(0xffffffff, t % 3);\n  if (t % 3) "
       "atomicAdd(&out[__popc(__match_any_sync(m, t % 2)) % 16], 1u);\n",
       ""},
      {"__activemask in a branch",
       "  if (t % 3) {\n    const unsigned m = __activemask();\n    atomicAdd(out, "
       "__reduce_add_sync(m, 1u));\n  }\n",
       ""},
      {"halves of a warp in two branches, each with its mask",
       "  if (t % 32 < 16) {\n    atomicAdd(out, __shfl_xor_sync(0xffff, t, 1));\n  } else {\n    "
       "atomicAdd(out, __shfl_xor_sync(0xffff0000, t, 1));\n  }\n",
       ""},
      {"the same call in different rounds of a loop",
       "  for (unsigned j = 0; j < 8; ++j)\n    if (data[i] % 8 == j) atomicAdd(out, "
       "__popc(__match_any_sync(0xffffffff, j)));\n",
       ""},
      {"one line that the compiler copies",
       "  for (unsigned j = 0; j < 4; ++j) {\n    if (t & 1) atomicAdd(out, 1u);\n    "
       "atomicAdd(out, __ballot_sync(0xffffffff, t & j));\n  }\n",
       ""},
      {"a helper that is called from two places",
       "__device__ __forceinline__ unsigned votes(unsigned m, int p) { return "
       "__popc(__ballot_sync(m, p)); }\n"
       "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n  const "
       "unsigned t = threadIdx.x;\n  unsigned v;\n"
       "  if (t % 2) v = votes(0xaaaaaaaa, t < 9); else v = votes(0x55555555, t < 9);\n  "
       "atomicAdd(out, v);\n}",
       ""},
      {"__syncwarp names lanes that have returned",
       "  if (t % 32 > 20) return;\n  __syncwarp();\n  atomicAdd(out, 1u);\n", ""},
      {"__syncwarp in both branches, with one mask each",
       "  if (t % 2) {\n    __syncwarp(0xaaaaaaaa);\n  } else {\n    __syncwarp(0x55555555);\n  "
       "}\n",
       ""},
      {"two __syncwarp, met by different lanes",
       "  if (t % 2) {\n    __syncwarp();\n  } else {\n    __syncwarp();\n  }\n", ""},
      {"a partial warp with a mask of those who are there",
       "  const unsigned m = blockDim.x - t / 32 * 32 < 32 ? (1u << blockDim.x % 32) - 1 : ~0u;\n  "
       "atomicAdd(out, __ballot_sync(m, 1) & 1);\n",
       "",
       {2, 1, 1},
       {48, 1, 1}},
      {"a shuffle within a width",
       "  if (t % 32 < 8) atomicAdd(out, __shfl_down_sync(0xff, t, 4, 8));\n", ""},
      {"a loop that lanes leave at different times, with a mask that shrinks",
       "  unsigned m = 0xffffffff;\n  for (unsigned j = 0; j < 40; ++j) {\n    m = "
       "__ballot_sync(m, j < t % 32);\n    if (j >= t % 32) break;\n    atomicAdd(out, 1u);\n  }\n",
       ""},
  });
}

TEST_CASE("a caller that its mask does not name") {
  check_rows({
      {"a constant mask", "  atomicAdd(out, __ballot_sync(0xffff, 1));  //@call\n",
       "invalid_mask @call"},
      {"zero", "  if (t == 3) atomicAdd(out, __any_sync(0, 1));  //@call\n", "invalid_mask @call"},
      {"of __syncwarp", "  if (t % 32 < 9) __syncwarp(0xff);  //@call\n", "invalid_mask @call"},
      {"a shuffle", "  if (t % 32 < 16) atomicAdd(out, __shfl_sync(0xfffe, t, 1));  //@call\n",
       "invalid_mask @call"},
      {"the mask of the other branch",
       "  const unsigned m = __ballot_sync(0xffffffff, t % 2);\n  if (t % 2 == 0) atomicAdd(out, "
       "__match_any_sync(m, t));  //@call\n",
       "invalid_mask @call"},
  });
}

TEST_CASE("lanes that a mask names but that never arrive are reported") {
  check_rows({
      {"they wait at the barrier",
       "  if (t % 32 < 16) atomicAdd(out, __ballot_sync(0xffffffff, 1));  //@call\n  "
       "__syncthreads();  //@barrier\n",
       "invalid_mask @call/@barrier"},
      {"they make another call",
       "  if (t % 32 < 16) {\n    atomicAdd(out, __shfl_xor_sync(0xffffffff, t, 1));  //@a\n  } "
       "else {\n    atomicAdd(out, __shfl_xor_sync(0xffffffff, t, 2));  //@b\n  }\n",
       "invalid_mask @a/@b"},
      {"a vote and a match",
       "  if (t % 2) {\n    atomicAdd(out, __all_sync(0xffffffff, 1));  //@a\n  } else {\n    "
       "atomicAdd(out, __match_any_sync(0xffffffff, 1));  //@b\n  }\n",
       "invalid_mask @a/@b"},
      {"with different masks in one call",
       "  atomicAdd(out, __all_sync(t % 32 < 4 ? 0xff : 0xffffffff, 1));  //@call\n  "
       "__syncthreads();\n",
       "invalid_mask @call/@call"},
      {"they have gone on in their loop",
       "  for (unsigned j = 0; j < 8; ++j)\n    if (data[i] % 8 >= j) atomicAdd(out, "
       "__popc(__match_any_sync(0xffffffff, j)));  //@call\n  __syncthreads();  //@barrier\n",
       "invalid_mask @call/@barrier"},
      {"__syncwarp against __syncthreads",
       "  if (t % 32 < 16) __syncwarp();  //@warp\n  else __syncthreads();  //@block\n  "
       "__syncthreads();\n",
       "barrier_divergence @warp/@block"},
  });
}

TEST_CASE(
    "lanes that ended are not waited for, but a mask must not name lanes that skipped the call") {
  check_rows({
      {"they left the branch out",
       "  if (data[i] % 4) atomicAdd(out, __popc(__match_any_sync(0xffffffff, t % 2)));  //@call\n",
       "invalid_mask @call"},
      {"the last round of a loop",
       "  for (unsigned j = t; j < 40; j += 64) atomicAdd(out, __ballot_sync(0xffffffff, 1));  "
       "//@call\n",
       "invalid_mask @call"},
      {"they returned before",
       "  if (t % 32 > 20) return;\n  atomicAdd(out, __ballot_sync(0xffffffff, 1));  //@call\n",
       "invalid_mask (note) @call"},
      {"in a helper's return there is no end",
       "__device__ unsigned two() { return 2; }\n__global__ void k(const unsigned char* data, "
       "unsigned, unsigned* out) {\n"
       "  if (threadIdx.x % 4) atomicAdd(out, __any_sync(~0u, two()));  //@call\n}",
       "invalid_mask @call"},
      {"a block that is no multiple of 32",
       "  atomicAdd(out, __ballot_sync(0xffffffff, 1));  //@call\n",
       "invalid_mask (note) @call",
       {2, 1, 1},
       {48, 1, 1}},
  });
}

TEST_CASE("shuffles from lanes that take no part") {
  check_rows({
      {"beyond the mask",
       "  if (t % 32 < 16) atomicAdd(out, __shfl_down_sync(0xffff, t, 8));  //@call\n",
       "invalid_mask @call"},
      {"from a lane that is not in the branch",
       "  if (t % 32 > 0) atomicAdd(out, __shfl_sync(0xfffffffe, t, 0));  //@call\n",
       "invalid_mask @call"},
      {"from a lane that has returned",
       "  if (t % 32 == 7) return;\n  atomicAdd(out, __shfl_sync(0xffffffff, t, 7));  //@call\n",
       "invalid_mask @call"},
      {"in a reduction over a partial warp",
       "  unsigned v = t;\n  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, "
       "d);  //@call\n  if (t == 0) atomicAdd(out, v);\n",
       "invalid_mask @call",
       {1, 1, 1},
       {48, 1, 1}},
      {"a width that is no power of two",
       "  atomicAdd(out, __shfl_sync(0xffffffff, t, 0, 24));  //@call\n", "invalid_mask @call"},
  });
}

TEST_CASE("__syncwarp orders memory; other warp-level functions do not") {
  const char* through =
      "  __shared__ unsigned s[64];\n  s[t] = t;  //@write\n  %\n  atomicAdd(out, s[t ^ 1]);  "
      "//@read\n";
  const auto with = [&](const std::string& call) {
    return std::string(through).replace(std::string(through).find('%'), 1, call);
  };
  const std::string sync = with("__syncwarp();"), vote = with("__all_sync(0xffffffff, 1);"),
                    shuffle = with("__shfl_sync(0xffffffff, t, 0);");
  check_rows({
      {"__syncwarp", sync.c_str(), ""},
      {"a vote", vote.c_str(), "data_race s[1] @write/@read"},
      {"a shuffle", shuffle.c_str(), "data_race s[1] @write/@read"},
      {"a reduction by shuffles, in registers only",
       "  unsigned v = data[i];\n  for (int d = 16; d > 0; d /= 2) v += "
       "__shfl_xor_sync(0xffffffff, v, d);\n  if (t % 32 == 0) atomicAdd(out, v);\n",
       ""},
  });
}

TEST_CASE("a kernel continues after a wrong call, and each cause is reported once") {
  const Row row{"",
                "  for (int j = 0; j < 5; ++j) {\n    if (t < 16) atomicAdd(out, "
                "__ballot_sync(0xffffffff, 1));  //@call\n    __syncthreads();  //@barrier\n  }\n",
                ""};
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(source_of(row), launch_of(row, schedule));
    CHECK(told(outcome) == "invalid_mask @call/@barrier");
    CHECK(outcome.last().ending == Ending::completed);
    REQUIRE(outcome.last().findings.size() == 1);
    const Finding& finding = outcome.last().findings[0];
    CHECK(finding.count == 10);  // five rounds of two blocks
    CHECK(finding.message ==
          "thread 0 of block 0 calls __ballot_sync with the mask 0xffffffff and waits for lanes "
          "16-31, but thread 16 of block 0 waits at the barrier (line 5). All lanes in a mask must "
          "make the same call. Let the whole warp vote before the branch: unsigned mask = "
          "__ballot_sync(0xffffffff, condition)");
  }
}
