// Tests the recorded accesses of single threads: memory before and after each one.
#include "kernels/emulator/observers/step_recorder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;
using enum AccessKind;

struct Recorder {
  LaunchFixture launch{{64, 1, 1}, {4, 1, 1}};
  const Region& pairs =
      launch.add({.role = Region::Role::output, .name = "pairs", .size = 64, .element_bytes = 8});
  const Region& tile = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "tile", .size = 64});
  std::vector<RecordedStep> steps;
  StepRecorder observer{launch.context};

  Recorder() {
    make_writable({&pairs, &tile});
    launch.context.steps = &steps;
    launch.context.recorded_steps = 4;
    launch.context.block = 3;
  }
  // Shows the access, then makes it. A write stores `value`.
  void act(AccessKind kind, std::uint8_t bytes, const Region& region, std::uint32_t offset,
           std::uint64_t value = 0, bool belongs_to_last = false) {
    launch.site(1, kind, bytes, 9);
    observer.on_lane_access({.site = 1,
                             .kind = kind,
                             .bytes = bytes,
                             .lane = 40,
                             .region = &region,
                             .offset = offset,
                             .belongs_to_last = belongs_to_last});
    if (writes(kind) && bytes <= sizeof value) std::memcpy(region.begin + offset, &value, bytes);
  }
  std::string told() const {
    std::string all;
    for (const RecordedStep& s : steps) {
      const char* const space = s.space == Space::shared   ? "shared"
                                : s.space == Space::global ? "global"
                                                           : "no";
      all += fmt::format("{}line {} thread {} of {}: {} {}[{}] in {} memory, {} bytes: {} to {}",
                         all.empty() ? "" : "\n", s.line, s.thread, s.block, name(s.operation),
                         s.variable, s.index, space, s.bytes, s.before, s.after);
    }
    return all;
  }
};

TEST_CASE_FIXTURE(
    Recorder, "a step has its line, thread, operation, element, and the values before and after") {
  act(store, 4, tile, 12, 7);
  act(atomic, 8, pairs, 16, 1ull << 40);
  act(load, 2, tile, 12);
  CHECK(steps[1].after == 1ull << 40);  // known when the next one is shown
  observer.on_block_end();
  CHECK(told() ==
        "line 9 thread 40 of 3: store tile[3] in shared memory, 4 bytes: 0 to 7\n"
        "line 9 thread 40 of 3: atomic pairs[2] in global memory, 8 bytes: 0 to 1099511627776\n"
        "line 9 thread 40 of 3: load tile[6] in shared memory, 2 bytes: 7 to 7");
}

TEST_CASE_FIXTURE(Recorder, "pieces of one access are read back together, after the last of them") {
  const auto shown = [&](std::uint32_t offset, bool belongs_to_last) {
    launch.site(1, store, 1, 9);
    observer.on_lane_access({.site = 1,
                             .kind = store,
                             .bytes = 1,
                             .lane = 0,
                             .region = &tile,
                             .offset = offset,
                             .belongs_to_last = belongs_to_last});
  };
  shown(0, false);
  shown(1, true);
  tile.begin[0] = 5;
  tile.begin[1] = 6;
  observer.on_launch_end();
  REQUIRE(steps.size() == 2);
  CHECK((steps[0].after == 5 && steps[1].after == 6));
}

TEST_CASE_FIXTURE(Recorder,
                  "16-byte accesses, frees, and accesses beyond the limit are not steps") {
  act(load, 16, tile, 0);
  act(release, 8, pairs, 0);
  CHECK(steps.empty());
  for (std::uint32_t i = 0; i < 6; ++i) act(store, 4, tile, 4 * i, i + 1);
  REQUIRE(steps.size() == 4);
  CHECK(steps[3].after == 4);  // not the value of later accesses
}

}  // namespace
}  // namespace histolab::kernels::emulator
