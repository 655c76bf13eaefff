#include "kernels/emulator/run/stuck_lanes.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr SiteNumber asks = 8, stores = 9, loads = 10, waits = 11;

// A warp whose lanes 0 and 1 can run, and log accesses of a test.
struct Watched {
  Watched() {
    launch.site(asks, AccessKind::volatile_load, 4);
    launch.site(stores, AccessKind::store, 4);
    launch.site(loads, AccessKind::load, 4);
    log.take(idle);
    log.set_cursors(lanes.cursor);
    lanes.runnable = 0b11;
    warp = WatchedWarp(lanes.runnable);
  }
  void access(std::uint32_t lane, SiteNumber site, std::uint64_t address) {
    *lanes.cursor[lane] = std::uint64_t{site} << 48 | address;
    lanes.cursor[lane] += WarpLog::lanes;
  }
  bool all_wait() {
    warp.note(*launch.sites, lanes, log);
    warp.end(lanes.runnable);
    return warp.all_wait();
  }

  testing::LaunchFixture launch;
  std::vector<WarpLog::Memory> idle;
  WarpLog log;
  Warp lanes;
  WatchedWarp warp;
};

TEST_CASE("a warp waits if each of its lanes asks, and none does more than read") {
  Watched all;
  all.access(0, asks, 64);
  CHECK_FALSE(all.all_wait());  // lane 1 has not asked
  all.access(1, loads, 64);
  all.access(1, asks, 68);
  CHECK(all.all_wait());
  CHECK(WarpLog::address(all.warp.question(1)) == 68);
  all.access(1, asks, 72);
  CHECK(all.all_wait());
  CHECK(WarpLog::address(all.warp.question(1)) == 72);
  CHECK(WarpLog::address(all.warp.question(0)) == 64);
  all.warp.note_change();
  CHECK_FALSE(all.all_wait());
}

TEST_CASE("a warp does not wait if one of its lanes stores, or stops running") {
  Watched stored;
  stored.access(0, asks, 64);
  stored.access(1, asks, 64);
  stored.access(1, stores, 64);
  CHECK_FALSE(stored.all_wait());
  Watched left;
  left.access(0, asks, 64);
  left.access(1, asks, 64);
  left.lanes.runnable = 0b01;
  CHECK_FALSE(left.all_wait());
  CHECK_FALSE(WatchedWarp().all_wait());  // a warp without lanes that can run
}

// A block of 35 threads, all of which wait. Returns the finding for thread 2, which asks for an
// element of `flags`.
Finding finding_for(std::uint32_t asking, std::uint32_t at_barrier,
                    std::uint32_t asking_of_second) {
  testing::LaunchFixture launch({35, 1, 1});
  launch.site(asks, AccessKind::volatile_load, 4, 12);
  launch.site(waits, AccessKind::load, 0, 20);
  const Region& flags =
      launch.add({.role = Region::Role::output, .name = "flags", .size = 64, .element_bytes = 4});
  Lanes lanes(launch.window, std::vector<Uint3>(35), {});
  lanes.begin_block();
  Lanes::Suspended state = lanes.suspend_block();
  state.warps[0].runnable = asking;
  state.warps[0].at_barrier = at_barrier;
  state.warps[1].runnable = asking_of_second;
  state.sites.assign(35, waits);
  lanes.resume_block(state);
  return deadlock_finding(launch.context, lanes, 2,
                          std::uint64_t{asks} << 48 | (flags.address() + 12));
}

TEST_CASE("a deadlock names the element that the thread asks for") {
  const Finding finding = finding_for(0b100, 0, 0);
  CHECK(finding.kind == FindingKind::deadlock);
  CHECK(finding.line == 12);
  CHECK(finding.thread->thread.x == 2);
  CHECK(finding.variable == "flags");
  CHECK(finding.index == 3);
  CHECK_FALSE(finding.other_thread.has_value());
}

TEST_CASE("a deadlock says what the block's other threads do") {
  const auto says = [](const Finding& finding, std::string_view words) {
    return finding.message.find(words) != std::string::npos;
  };
  CHECK(says(finding_for(0b100, 0, 0), "of the others in its block, 34 have ended"));
  CHECK(says(finding_for(0b100, 0, 1), "of the others in its block, 1 polls too, 33 have ended"));
  CHECK(says(finding_for(~0u, 0, 0b111), "of the others in its block, 34 poll too"));
  const Finding waits_elsewhere = finding_for(0b111, 0b11000, 0b111);
  CHECK(
      says(waits_elsewhere,
           "of the others in its block, 5 poll too, 2 wait for the rest (line 20), 27 have ended"));
  CHECK(waits_elsewhere.other_thread->thread.x == 3);
  CHECK(waits_elsewhere.other_line == 20);
  CHECK(says(finding_for(0b100, 0b1000, 0),
             "of the others in its block, 1 waits for the rest (line 20), 33 have ended"));
}

}  // namespace
}  // namespace histolab::kernels::emulator
