// Tests of data_race between two atomic operations: one adds, the other overwrites, and they are
// unordered. Also of the patterns in which concurrent atomic operations are correct.
#include <doctest/doctest.h>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// A body may use `t` (the thread), `b` (the block) and `i` (the thread in the grid). Each row runs
// with and without a fence, since different race observers handle these.
void check_kernels(const std::vector<Row>& rows) {
  for (const char* fence : {"", "__threadfence();"}) {
    std::vector<std::string> sources;
    sources.reserve(rows.size());
    std::vector<Row> whole;
    for (const Row& row : rows) {
      sources.push_back(
          std::string("#include <cuda/atomic>\n__device__ unsigned word, flag, sums[8];\n"
                      "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n"
                      "  const unsigned t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n "
                      " __shared__ unsigned s[8];\n") +
          fence + row.body + "\n}\n");
      whole.push_back(row);
      whole.back().body = sources.back().c_str();
    }
    check_rows(whole);
  }
}

}  // namespace

TEST_CASE("an addition and an overwrite that nothing orders") {
  check_kernels({
      {"shared bins are zeroed by an exchange, without a barrier",
       "if (t == 32) atomicExch(&out[b], 0u);  //@set\n  atomicAdd(&out[b], 1u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"by an AND with 0",
       "if (t == 32) atomicAnd(&out[0], 0u);  //@set\n  atomicSub(&out[0], 1u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"by a minimum with 0",
       "if (t == 32) atomicMin(&out[0], 0u);  //@set\n  atomicAdd(&out[0], 1u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"by counting up to 0",
       "if (t == 32) atomicInc(&out[0], 0u);  //@set\n  atomicAdd(&out[0], 1u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"by counting down from 0",
       "if (t == 32) atomicDec(&out[0], 0u);  //@set\n  atomicInc(&out[0], 99u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"by a relaxed store",
       "if (t == 32) cuda::atomic_ref<unsigned>(out[0]).store(5, cuda::memory_order_relaxed);  "
       "//@set\n  atomicInc(&out[0], 77u);  //@add\n",
       "data_race out[0] @set/@add",
       {1, 1, 1}},
      {"one block zeroes what all count in",
       "if (i == 0) atomicExch(&word, 0u);  //@set\n  if (t == 1) atomicAdd(&word, n);  //@add\n",
       "data_race word @set/@add"},
      {"a floating-point sum",
       "if (t == 3) atomicExch((unsigned*)&sums[0], 0u);  //@set\n  if (t == 40) "
       "atomicAdd((float*)&sums[0], 1.0f);  //@add\n",
       "data_race sums[0] @set/@add",
       {1, 1, 1}},
  });
}

TEST_CASE("an overwrite with an addition's result is reported: it loses later additions") {
  check_kernels({
      {"an exchange stores the sum once more",
       "const unsigned now = atomicAdd(&out[0], 1u) + 1;  //@add\n  atomicExch(&out[0], now);  "
       "//@set\n",
       "data_race out[0] @add/@set",
       {1, 1, 1}},
      {"a relaxed store does",
       "cuda::atomic_ref<unsigned> r(out[0]);\n  unsigned old = r.fetch_add(2, "
       "cuda::memory_order_relaxed);  //@add\n"
       "  r.store(old + 2, cuda::memory_order_relaxed);  //@set\n",
       "data_race out[0] @add/@set",
       {1, 1, 1}},
      {"far behind, for one thread",
       "unsigned old = atomicSub(&s[0], 1u);  //@add\n  if (t == 40) atomicExch(&s[0], n > 3 ? old "
       ": 7u);  //@set\n",
       "data_race s[0] @add/@set",
       {1, 1, 1}},
  });
}

TEST_CASE("ordered atomics, and atomics that synchronize threads, are not reported") {
  check_kernels({
      {"a barrier between zeroing and counting",
       "if (t < 8) atomicExch(&s[t], 0u);\n  __syncthreads();\n  atomicAdd(&s[t % 8], 1u);\n", ""},
      {"a warp that synchronizes",
       "if (t < 8) atomicExch(&s[t], 0u);\n  __syncwarp();\n  atomicAdd(&s[t % 8], 1u);\n",
       "",
       {2, 1, 1},
       {32, 1, 1}},
      {"each thread its own word",
       "atomicExch(&out[t % 16], 0u);\n  atomicAdd(&out[t % 16], 1u);\n",
       "",
       {1, 1, 1},
       {16, 1, 1}},
      {"only additions, only exchanges", "atomicAdd(&out[0], 1u);\n  atomicExch(&out[1], 1u);\n",
       ""},
      {"a lock by compare-and-swap, given back by an exchange",
       "for (bool done = false; !done;)\n    if (atomicCAS(&word, 0u, 1u) == 0) {\n      "
       "atomicAdd(&out[0], 1u);\n      atomicExch(&word, 0u);\n      done = true;\n    }\n",
       ""},
      {"a flag that others look at by adding 0",
       "if (t == 0) atomicExch(&s[0], 0u);\n  __syncthreads();\n  if (t == 40) atomicExch(&s[0], "
       "1u);\n"
       "  else while (atomicAdd(&s[0], 0u) == 0) {}\n",
       "",
       {1, 1, 1}},
      {"a counter that is stopped at a limit",
       "if (atomicAdd(&out[0], 1u) >= 9) atomicExch(&out[0], 9u);\n", ""},
      {"a ticket that the block with the last one puts back",
       "__shared__ unsigned ticket;\n  if (t == 0) ticket = atomicAdd(&word, 1u);\n  "
       "__syncthreads();\n"
       "  if (t == 33 && ticket == gridDim.x - 1) atomicExch(&word, 0u);\n",
       "",
       {5, 1, 1}},
      {"a counter that is emptied while others count: the exchange's result is added elsewhere",
       "atomicAdd(&out[0], 1u);\n  if (t == 5) atomicAdd(&out[1], atomicExch(&out[0], 0u));\n", ""},
      {"a lock by tickets: the words of the ticket and of the one served are apart",
       "unsigned mine = atomicAdd(&sums[0], 1u);\n  for (bool done = false; !done;)\n    if "
       "(atomicAdd(&sums[1], 0u) == mine) {\n"
       "      atomicExch(&sums[1], mine + 1);\n      done = true;\n    }\n",
       ""},
      {"a ticket that is tested, then put back",
       "unsigned old = atomicAdd(&word, 1u), all = gridDim.x * blockDim.x;\n"
       "  if (old == all - 1) atomicExch(&word, 0u);\n",
       ""},
      {"a minimum of signed numbers",
       "atomicAdd((int*)&out[0], 1);\n  if (t == 7) atomicMin((int*)&out[0], 0);\n",
       "",
       {1, 1, 1}},
      {"a maximum and a floor", "atomicMax(&out[0], i);\n  if (i == 0) atomicExch(&out[0], 77u);\n",
       ""},
  });
}
