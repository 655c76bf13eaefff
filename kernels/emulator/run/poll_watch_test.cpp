#include "kernels/emulator/run/poll_watch.h"

#include <doctest/doctest.h>

#include <cstring>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr SiteNumber asks = 8, stores = 9, swaps = 10, adds = 11;

// Two warps of a block, whose lanes fill their logs with accesses of a test to `flags`.
struct Block {
  Block() {
    launch.site(asks, AccessKind::volatile_load, 4);
    launch.site(stores, AccessKind::store, 4);
    launch.site(swaps, AccessKind::compare_and_swap, 4);
    launch.site(adds, AccessKind::atomic, 4);
    (*launch.sites)[adds].effect = AtomicEffect::adds;
    for (std::uint32_t w = 0; w < 2; ++w) {
      warps[w].runnable = 0b101;
      logs.begin_turn(w, warps[w]);
    }
  }
  // The lanes of the warp log an access at the site to their own elements, until their logs are
  // full.
  void fill(std::uint32_t warp, SiteNumber site) {
    logs[warp].set_cursors(warps[warp].cursor);
    for_each_lane(warps[warp].runnable, [&](std::uint32_t lane) {
      std::uint64_t*& cursor = warps[warp].cursor[lane];
      do {
        *cursor = std::uint64_t{site} << 48 | (flags.address() + 4 * lane);
        cursor += WarpLog::lanes;
      } while (!WarpLog::full(cursor));
    });
    warps[warp].full = warps[warp].runnable;
  }
  bool must_yield(std::uint32_t warp) { return watch.must_yield(warp, logs[warp]); }
  void set(std::uint32_t element, std::uint32_t value) {
    std::memcpy(flags.begin + 4 * element, &value, sizeof value);
  }

  testing::LaunchFixture launch{{64, 1, 1}};
  const Region& flags =
      **launch.window.map_buffer(Region::Role::output, "flags", 4, 4096, -1, false);
  std::vector<Warp> warps = std::vector<Warp>(2);
  BlockLogs logs{2};
  PollWatch watch{launch.context, warps};
};

TEST_CASE("a warp yields when it repeats its question, and gets the same answer") {
  for (const SiteNumber site : {asks, swaps}) {
    Block block;
    block.fill(1, site);
    CHECK_FALSE(block.must_yield(1));
    CHECK(block.must_yield(1));
    block.set(2, 7);  // lane 2 asks for it
    CHECK_FALSE(block.must_yield(1));
    CHECK(block.must_yield(1));
    block.set(1, 7);  // lane 1 does not run
    CHECK(block.must_yield(1));
  }
}

TEST_CASE("a warp that stores, or has room in a log, does not only wait") {
  Block block;
  block.fill(0, stores);
  CHECK_FALSE(block.must_yield(0));
  CHECK_FALSE(block.must_yield(0));
  block.fill(0, asks);
  CHECK_FALSE(block.must_yield(0));
  block.warps[0].full = 0b100;
  CHECK_FALSE(block.must_yield(0));
  block.warps[0].full = 0b101;
  CHECK(block.must_yield(0));
}

TEST_CASE("if all warps wait, the first one keeps running") {
  Block block;
  block.fill(0, asks);
  block.fill(1, asks);
  for (const std::uint32_t warp : {0u, 1u}) CHECK_FALSE(block.must_yield(warp));
  CHECK(block.must_yield(0));
  CHECK(block.must_yield(1));
  CHECK_FALSE(block.must_yield(0));
  block.warps[0].runnable = 0;  // it waits at a barrier
  CHECK_FALSE(block.must_yield(1));
}

TEST_CASE("a block only polls if its lanes have done nothing but ask") {
  Block block;
  block.fill(0, asks);
  block.fill(1, swaps);
  CHECK(block.watch.only_polls(block.logs));
  block.fill(1, adds);
  CHECK_FALSE(block.watch.only_polls(block.logs));
  block.fill(1, stores);
  CHECK_FALSE(block.watch.only_polls(block.logs));
  block.warps[1].runnable = 0;  // it waits at a barrier
  CHECK(block.watch.only_polls(block.logs));
  block.logs.clear();
  CHECK_FALSE(block.watch.only_polls(block.logs));  // warp 0 had no turn so far
}

TEST_CASE("questions of another block are others") {
  Block block;
  block.fill(0, asks);
  CHECK_FALSE(block.must_yield(0));
  block.watch.forget();
  CHECK_FALSE(block.must_yield(0));
  CHECK(block.must_yield(0));
}

}  // namespace
}  // namespace histolab::kernels::emulator
