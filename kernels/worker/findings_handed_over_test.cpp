// Tests of allocated memory that threads hand over by a lock or an atomic exchange. It is checked
// in the order of use.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/worker/testing/finding_table.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// Runs `guarded` in one thread at a time, with the usual fences.
std::string locked(const std::string& guarded) {
  return "  for (bool done = false; !done;)\n    if (atomicCAS(&lock, 0, 1) == 0) {\n      "
         "__threadfence();\n" +
         guarded +
         "      __threadfence();\n      atomicExch(&lock, 0);\n      done = true;\n    }\n";
}

std::string kernel(const std::string& body) {
  return "__device__ unsigned lock;\n__device__ unsigned* volatile current_one;\n__device__ "
         "unsigned long long slot;\n"
         "__global__ void k(unsigned* out) {\n  const unsigned t = threadIdx.x;\n" +
         body + "}\n";
}

struct Case {
  const char* title;
  std::string body, told;
};

void check(const std::vector<Case>& cases, std::uint32_t blocks) {
  for (const Case& c : cases)
    for (const Schedule schedule : all_schedules)
      for (std::uint64_t seed = 1;
           seed <= (schedule == Schedule::lockstep || schedule == Schedule::run_to_barrier ? 1 : 4);
           ++seed) {
        const Outcome outcome = run(kernel(c.body), {.grid = {blocks},
                                                     .block = {64},
                                                     .arguments = {out("out", 64)},
                                                     .options = under(schedule, seed)});
        CHECK_MESSAGE(reports_alike(told(outcome), c.told, schedule), std::string(c.title), " (",
                      std::string(name(schedule)), " ", seed, "): ", faults(outcome));
      }
}

}  // namespace

TEST_CASE("memory that is handed over correctly is not reported") {
  const std::string exchange =
      "  if (t % 32 != 0) return;\n"
      "  unsigned* mine = (unsigned*)malloc(16);\n  mine[0] = t;\n  __threadfence();\n"
      "  unsigned* theirs = (unsigned*)atomicExch(&slot, (unsigned long long)mine);\n"
      "  if (theirs != nullptr) {\n    __threadfence();\n    atomicAdd(&out[t], theirs[0]);\n    "
      "free(theirs);\n  }\n";
  check(
      {
          {"each frees what the one before it allocated",
           locked("      free(current_one);\n      unsigned* p = (unsigned*)malloc(16);\n      "
                  "p[0] = t;\n      current_one = p;\n"),
           ""},
          {"each reads what the one before it wrote, and frees it",
           locked("      unsigned *before = current_one, *p = (unsigned*)malloc(16);\n      p[0] = "
                  "before != nullptr ? before[0] + 1 : 1;\n      current_one = p;\n      "
                  "free(before);\n"),
           ""},
          {"one thread of a warp exchanges its own for another one's", exchange, ""},
          {"more of it, one after the other, than the heap has room for",
           locked("      for (int i = 0; i < 3; ++i) {\n        free(current_one);\n        "
                  "current_one = (unsigned*)malloc(4 << 20);\n        if (current_one == nullptr) "
                  "atomicAdd(&out[0], 1u);\n      }\n") +
               "  if (out[0] != 0) __trap();\n",
           ""},
          {"between barriers, too",
           "  __shared__ unsigned* p;\n  for (unsigned round = 0; round < 3; ++round) {\n    if (t "
           "== round) p = (unsigned*)malloc(256), p[5] = 1;\n    __syncthreads();\n"
           "    atomicAdd(out, p[5]);\n    __syncthreads();\n    if (t == 63 - round) free(p);\n   "
           " __syncthreads();\n    __threadfence();\n  }\n",
           ""},
      },
      2);
}

TEST_CASE("mistakes with memory that is handed over are reported") {
  check(
      {
          {"nobody wrote that word",
           locked("      if (current_one == nullptr) {\n        current_one = "
                  "(unsigned*)malloc(16);\n        current_one[0] = 1;\n      } else {\n        "
                  "out[t] = current_one[t % 2];  //@read\n      }\n"),
           "uninitialized_read malloc@10[1] @read"},
          {"a thread goes on with what another one may free",
           locked("      if (current_one == nullptr) current_one = (unsigned*)malloc(256);\n") +
               "  __syncthreads();\n" + locked("      if (t == 63) free(current_one);  //@free\n") +
               "  __syncthreads();\n" + locked("      current_one[3] = t;  //@use\n"),
           "out_of_bounds malloc@9[3] @use"},
          {"beyond its end",
           locked(
               "      current_one = (unsigned*)malloc(12);\n      current_one[3] = t;  //@use\n"),
           "out_of_bounds malloc@9[3] @use"},
          {"before its begin",
           locked(
               "      current_one = (unsigned*)malloc(12);\n      current_one[-1] = t;  //@use\n"),
           "out_of_bounds malloc@9[-1] @use"},
          {"freed twice",
           locked("      if (t == 0) current_one = (unsigned*)malloc(12);\n") +
               "  __syncthreads();\n" + locked("      if (t < 2) free(current_one);  //@free\n"),
           "out_of_bounds malloc@9 @free"},
      },
      1);
}

TEST_CASE("a thread that polls malloc until it succeeds waits for other threads") {
  const std::string ask =
      "  unsigned* p;\n  while ((p = (unsigned*)malloc(2 << 20)) == nullptr) {}  //@ask\n  p[t] = "
      "t;\n";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(
        kernel(ask + "  out[t] = p[t];\n  free(p);\n"),
        {.grid = {1}, .block = {64}, .arguments = {out("out", 64)}, .options = under(schedule)});
    CHECK_MESSAGE(faults(outcome) == "", std::string(name(schedule)));
    for (unsigned t = 0; t < 64; ++t) REQUIRE(outcome.output()[t] == t);
    Options few_steps = under(schedule);
    few_steps.steps_per_thread = 1 << 14;
    const Outcome in_vain =
        run(kernel(ask),
            {.grid = {1}, .block = {64}, .arguments = {out("out", 64)}, .options = few_steps});
    CHECK(told(in_vain) == "step_limit @ask");
    REQUIRE(!in_vain.last().findings.empty());
    CHECK(in_vain.last().findings[0].message.find("keeps allocating memory") != std::string::npos);
  }
}
