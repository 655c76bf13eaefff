// Tests of a GPU as a Device: harmful kernels get a verdict, and the next kernel still runs.
#include <doctest/doctest.h>

#include <chrono>

#include "kernels/gpu/gpu.h"
#include "kernels/worker/testing/kernel_fixture.h"
#include "reference/seconds_since.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

TimedDevice& gpu() {
  static Result<std::unique_ptr<TimedDevice>> device =
      make_gpu({.worker = HISTOLAB_BIN "/histolab-gpu-worker"});
  REQUIRE_MESSAGE(device.ok(), (device.ok() ? "" : device.error().message));
  return **device;
}

Launch shape(std::uint32_t grid, std::uint32_t block) {
  Launch launch;
  launch.grid = {grid, 1, 1};
  launch.block = {block, 1, 1};
  return launch;
}

Outcome on_gpu(const std::string& body, Launch launch = shape(1, 32)) {
  launch.arguments = {in("data", std::string(100, 'm')), word(100), out("histo", 8)};
  const OnDevice on(gpu());
  return run(
      "__device__ unsigned int kept;\n__global__ void k(const char* data, unsigned int length, "
      "unsigned int* histo) {\n" +
          body + "\n}\n",
      launch);
}

// Returns the kind of the finding ("out_of_bounds"), or "" if the launch completed
// without a finding.
std::string verdict(const Outcome& outcome) {
  const Observation& last = outcome.last();
  if (last.findings.empty())
    return last.ending == Ending::completed ? "" : std::string{name(last.ending)};
  return std::string{name(last.findings.front().kind)};
}

void still_usable() { CHECK(on_gpu("histo[0] = 7;").output()[0] == 7); }

}  // namespace

TEST_CASE("the result of a kernel is copied back") {
  const Outcome outcome = on_gpu(
      "for (unsigned int i = threadIdx.x; i < length; i += blockDim.x) atomicAdd(&histo[(data[i] - "
      "'a') / 4], 1u);");
  CHECK(verdict(outcome) == "");
  CHECK(outcome.output() == std::vector<std::uint32_t>{0, 0, 0, 100, 0, 0, 0, 0});
}

TEST_CASE("launches of one series share __device__ memory, and the next series resets it") {
  Launch thrice = shape(1, 32);
  thrice.times = 3;
  for (int again = 0; again < 2; ++again)
    CHECK(on_gpu("if (threadIdx.x == 0) histo[1] = ++kept;", thrice).output()[1] == 3);
}

TEST_CASE("blocks wait for each other at grid.sync(), and more than the GPU holds are refused") {
  const auto result = [](std::uint32_t blocks) {
    Launch launch = shape(blocks, 128);
    launch.arguments = {out("out", 2)};
    const OnDevice on(gpu());
    return run(
        "#include <cooperative_groups.h>\n__global__ void k(unsigned int* out) {\n  const auto "
        "grid = cooperative_groups::this_grid();\n"
        "  if (grid.thread_rank() == 0) out[0] = 5;\n  grid.sync();\n  if (grid.thread_rank() == "
        "grid.size() - 1) out[1] = out[0] + grid.is_valid();\n}\n",
        launch);
  };
  const Outcome together = result(64);
  CHECK(verdict(together) == "");
  CHECK(together.output() == std::vector<std::uint32_t>{5, 6});
  CHECK(verdict(result(1u << 20)) == "invalid_launch");
  still_usable();
}

TEST_CASE("a fault on the GPU becomes a finding, and the GPU runs the next kernel") {
  CHECK(verdict(on_gpu("histo[1u << 30] = 1;")) == "out_of_bounds");
  still_usable();
  CHECK(verdict(on_gpu("*(unsigned int*)((char*)histo + 1) = 1;")) == "misaligned_access");
  still_usable();
  CHECK(verdict(on_gpu("__trap();")) == "illegal_instruction");
  still_usable();
}

TEST_CASE("an assertion that fails says which") {
  Launch launch{.grid = {1},
                .block = {1},
                .arguments = {in("data", std::string("m")), word(1), out("histo", 8)}};
  const OnDevice on(gpu());
  const Outcome outcome =
      run("#include <assert.h>\n__global__ void k(const char* data, unsigned int length, unsigned "
          "int* histo) { assert(length == 5); }\n",
          launch);
  CHECK(verdict(outcome) == "illegal_instruction");
  still_usable();
}

TEST_CASE("guards detect out-of-bounds writes and changed inputs that the GPU does not stop") {
  CHECK(verdict(on_gpu("histo[8] = 1;")) == "out_of_bounds");
  CHECK(verdict(on_gpu("histo[-1] = 1;")) == "out_of_bounds");
  const Outcome changed = [] {
    Launch launch{.grid = {1},
                  .block = {1},
                  .arguments = {in("data", std::string(100, 'm')), word(100), out("histo", 8)}};
    const OnDevice on(gpu());
    return run(
        "__global__ void k(const char* data, unsigned int length, unsigned int* histo) { "
        "((char*)data)[3] = 'x'; }\n",
        launch);
  }();
  CHECK(verdict(changed) == "write_to_input");
}

TEST_CASE("a launch shape that the GPU refuses is a finding") {
  CHECK(verdict(on_gpu("histo[0] = 1;", shape(1, 2048))) == "invalid_launch");
  Launch much_memory = shape(1, 64);
  much_memory.dynamic_shared_bytes = 49 * 1024;
  CHECK(verdict(on_gpu("histo[0] = 1;", much_memory)) == "invalid_launch");
  much_memory.shared_opt_in = true;
  CHECK(verdict(on_gpu("histo[0] = 1;", much_memory)) == "");
}

TEST_CASE(
    "the watchdog ends an endless kernel, on every multiprocessor, and the GPU is free at once") {
  using Clock = std::chrono::steady_clock;
  Launch everywhere = shape(100000, 1024);
  everywhere.options.time_limit = std::chrono::milliseconds(500);
  const auto begin = Clock::now();
  const Outcome outcome =
      on_gpu("volatile unsigned int* v = histo; while (v[0] == 0) {}", everywhere);
  CHECK(outcome.last().ending == Ending::timed_out);
  const std::chrono::duration<double> took = Clock::now() - begin;
  MESSAGE("0.5 s allowed; with starting and ending the process ", took.count(), " s");
  const auto again = Clock::now();
  still_usable();
  MESSAGE("the next kernel, its compilation too, took ", reference::seconds_since(again), " s");
}

TEST_CASE("the output of a kernel is kept and is not parsed as an answer") {
  const Outcome outcome = on_gpu(
      "if (threadIdx.x == 0) printf(\"{\\\"machine_error\\\":\\\"no\\\"}\\n%u\\n\", length);");
  CHECK(verdict(outcome) == "");
  CHECK(outcome.last().printed == "{\"machine_error\":\"no\"}\n100\n");
}
