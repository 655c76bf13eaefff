// Runs kernels/cuda/conformance.cu on the emulator and on a GPU. Every word of every thread
// must be identical.
#include <doctest/doctest.h>

#include "kernels/gpu/gpu.h"
#include "kernels/worker/testing/conformance_model.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

constexpr std::uint32_t results = conformance_words, blocks = conformance_blocks,
                        threads = conformance_threads, words = blocks * threads * results;

std::vector<std::uint32_t> run_kernel(const std::string& name) {
  const std::vector<std::uint32_t> operands = conformance_operands();
  const Outcome outcome =
      run(conformance_source(name),
          {.grid = {blocks},
           .block = {threads},
           .arguments = {in("operands", operands),
                         word(static_cast<std::uint32_t>(operands.size())), out("out", words)},
           .options = under(Schedule::run_to_barrier)});
  CHECK(faults(outcome) == "");
  return outcome.output();
}

}  // namespace

TEST_CASE("the emulator and a GPU compute the same") {
  auto gpu = make_gpu({.worker = HISTOLAB_BIN "/histolab-gpu-worker"});
  REQUIRE_MESSAGE(gpu.ok(), (gpu.ok() ? "" : gpu.error().message));
  for (const std::string name :
       {"integers", "simd", "dpx", "conversions", "rounded", "atomics", "shared_atomics",
        "float_atomics", "hints", "warps", "half_arithmetic", "half_conversions", "half_atomics",
        "every_half"}) {
    CAPTURE(name);
    const std::vector<std::uint32_t> expected = run_kernel(name);
    std::vector<std::uint32_t> got;
    {
      const OnDevice on(**gpu);
      got = run_kernel(name);
    }
    REQUIRE(got.size() == expected.size());
    std::uint32_t differ = 0;
    for (std::uint32_t i = 0; i < words; ++i) {
      if (got[i] == expected[i]) continue;
      if (differ++ < 4)
        CHECK_MESSAGE(false, name, ": word ", i % results, " of thread ", i / results, " is ",
                      got[i], " on the GPU, ", expected[i], " on the emulator");
    }
    MESSAGE(name, ": ", words, " words, ", differ, " differ");
  }
}
