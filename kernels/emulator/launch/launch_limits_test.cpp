#include "kernels/emulator/launch/launch_limits.h"

#include <doctest/doctest.h>

#include <string>

#include "kernels/emulator/launch/launch_context.h"

using namespace histolab::kernels;
using namespace histolab::kernels::emulator;
using histolab::reference::find_device_profile;

namespace {

// Returns the kind of the refusal, or "" if the launch is accepted.
std::string refusal(const LaunchConfig& config, const KernelLimits& kernel = {},
                    const char* profile = "h200") {
  const auto finding = refuse_launch(config, kernel, *find_device_profile(profile));
  return finding ? std::string(name(finding->kind)) : "";
}

}  // namespace

TEST_CASE("launch shapes up to the device limits are accepted") {
  for (const auto& [grid, block] :
       std::initializer_list<std::pair<Dim3, Dim3>>{{{1, 1, 1}, {1, 1, 1}},
                                                    {{0x7fffffff, 1, 1}, {1024, 1, 1}},
                                                    {{1, 65535, 1}, {1, 1024, 1}},
                                                    {{1, 1, 65535}, {16, 1, 64}},
                                                    {{2, 65535, 3}, {8, 8, 16}}})
    CHECK(refusal({grid, block}) == "");
}

TEST_CASE("launch shapes beyond the limits are refused") {
  for (const auto& [grid, block] : std::initializer_list<std::pair<Dim3, Dim3>>{
           {{0, 1, 1}, {1, 1, 1}},
           {{1, 0, 1}, {1, 1, 1}},
           {{1, 1, 0}, {1, 1, 1}},
           {{1, 1, 1}, {0, 1, 1}},
           {{1, 1, 1}, {1, 0, 1}},
           {{1, 1, 1}, {1, 1, 0}},
           {{0x80000000u, 1, 1}, {1, 1, 1}},
           {{1, 65536, 1}, {1, 1, 1}},
           {{1, 1, 65536}, {1, 1, 1}},
           {{1, 1, 1}, {1025, 1, 1}},
           {{1, 1, 1}, {1, 1025, 1}},
           {{1, 1, 1}, {1, 1, 65}},
           {{1, 1, 1}, {32, 33, 1}},
           {{1, 1, 1}, {0x10000, 0x10000, 0x10000}},
           {{0xffffffffu, 0xffffffffu, 0xffffffffu}, {1, 1, 1}}})
    CHECK(refusal({grid, block}) == "invalid_launch");
  CHECK(refusal({{0x10000, 0x8000, 1}, {1, 1, 1}}) == "unsupported");  // a GPU would begin it
  CHECK(refusal({{1, 1, 1}, {129, 1, 1}}, {.max_threads_per_block = 128}) == "invalid_launch");
  CHECK(refusal({{1, 1, 1}, {128, 1, 1}}, {.max_threads_per_block = 128}) == "");
}

TEST_CASE("shared memory is limited to 48 KiB, or to the opt-in limit of the device if dynamic") {
  const auto launch = [](std::uint32_t fixed, std::uint32_t dynamic, bool opt_in,
                         const char* profile = "h200") {
    return refusal({{1, 1, 1}, {32, 1, 1}, dynamic, opt_in}, {.static_shared_bytes = fixed},
                   profile);
  };
  CHECK(launch(48 * 1024, 0, false) == "");
  CHECK(launch(40 * 1024, 8 * 1024, false) == "");
  CHECK(launch(40 * 1024, 8 * 1024 + 1, false) == "shared_memory_limit");
  CHECK(launch(48 * 1024 + 4, 0, false) == "shared_memory_limit");
  CHECK(launch(48 * 1024 + 4, 0, true) == "shared_memory_limit");  // no array has a fixed size
  CHECK(launch(0, 227 * 1024, true) == "");
  CHECK(launch(0, 227 * 1024, false) == "shared_memory_limit");
  CHECK(launch(0, 227 * 1024 + 1, true) == "shared_memory_limit");
  CHECK(launch(4, 227 * 1024, true) == "shared_memory_limit");
  CHECK(launch(0, 64 * 1024, true, "t4") == "");
  CHECK(launch(0, 64 * 1024 + 1, true, "t4") == "shared_memory_limit");
  CHECK(launch(0, 99 * 1024 + 1, true, "rtx4090") == "shared_memory_limit");
  CHECK(launch(0, 0xffffffff, true) == "shared_memory_limit");
}

TEST_CASE("a cooperative launch must be resident as a whole") {
  const auto launch = [](std::uint32_t blocks, std::uint32_t threads, std::uint32_t shared,
                         const char* profile = "h200") {
    return refusal({{blocks, 1, 1}, {threads, 1, 1}, shared, true}, {.is_cooperative = true},
                   profile);
  };
  CHECK(launch(132 * 32, 1, 0) == "");  // limit: blocks per multiprocessor
  CHECK(launch(132 * 32 + 1, 1, 0) == "invalid_launch");
  CHECK(launch(132 * 2, 1024, 0) == "");  // limit: threads
  CHECK(launch(132 * 2 + 1, 1024, 0) == "invalid_launch");
  CHECK(launch(132, 32, 227 * 1024) == "");  // limit: shared memory
  CHECK(launch(133, 32, 227 * 1024) == "invalid_launch");
  CHECK(launch(40 * 16, 64, 0, "t4") == "");
  CHECK(launch(40 * 16 + 1, 64, 0, "t4") == "invalid_launch");
  CHECK(refusal({{132 * 32 + 1, 1, 1}, {1, 1, 1}}) == "");  // not cooperative: no such limit
  CHECK(refuse_launch({{1057, 1, 1}, {256, 1, 1}, 100},
                      {.static_shared_bytes = 28, .is_cooperative = true},
                      *find_device_profile("h200"))
            ->message ==
        "the kernel calls grid.sync(), so all 1057 blocks must be resident at once, but the GPU "
        "holds 1056: 132 multiprocessors, 8 blocks of 256 threads and 128 bytes of shared memory "
        "on each (h200). Launch fewer blocks, and let each thread take several elements");
}

TEST_CASE("the refusal message gives the limit and a fix") {
  const auto message = [](const LaunchConfig& config, const KernelLimits& kernel) {
    return refuse_launch(config, kernel, *find_device_profile("h200"))->message;
  };
  CHECK(message({{1, 1, 1}, {2000, 1, 1}}, {}) ==
        "a block with x = 2000 is not possible: x may be at most 1024. Launch a smaller one");
  CHECK(message({{1, 1, 1}, {64, 32, 1}}, {}) ==
        "a block of 2048 threads (64 x 32 x 1) is not possible: it may have at most 1024. Launch "
        "more blocks, each of them smaller");
  CHECK(message({{1, 0, 1}, {1, 1, 1}}, {}) ==
        "a grid with y = 0 is empty. Every dimension must be at least 1");
  CHECK(message({{1, 1, 1}, {1, 1, 1}, 50000}, {})
            .find("unless the host program opts in to more (up to 232448, with "
                  "cudaFuncSetAttribute)") != std::string::npos);
  CHECK(message({{1, 1, 1}, {1, 1, 1}}, {.static_shared_bytes = 61440})
            .find("(\"uses too much shared data\", 0xf000 bytes, 0xc000 max)") !=
        std::string::npos);
}

TEST_CASE("thread_id maps linear numbers to block and thread coordinates, up to the limits") {
  LaunchContext context;
  context.config = {{0x7fffffff, 1, 1}, {1024, 1, 1}};
  CHECK(context.thread_id(0x7ffffffe, 1023) == ThreadId{{0x7ffffffe, 0, 0}, {1023, 0, 0}});
  context.config = {{3, 65535, 5}, {2, 8, 64}};
  for (const std::uint32_t block : {0u, 1u, 3u, 196604u, 196605u, 983024u}) {
    const ThreadId id = context.thread_id(block, block % 1024);
    CHECK(id.block.x + 3ull * (id.block.y + 65535ull * id.block.z) == block);
    CHECK(id.thread.x + 2 * (id.thread.y + 8 * id.thread.z) == block % 1024);
    CHECK(id.block.y < 65535);
  }
  context.config = {{1, 65535, 32768}, {1, 1, 1}};
  CHECK(context.thread_id(2147450879, 0).block == Dim3{0, 65534, 32767});
}
