#include "kernels/emulator/run/polled_words.h"

#include <doctest/doctest.h>

#include <cstring>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr SiteNumber asks = 8, swaps = 9, counts = 10, stores = 11, adds = 12, loads = 13;
constexpr std::uint32_t all_lanes = ~0u;

// Warp 2 of a block, whose lanes log accesses of a test to the words of `flags`.
struct Warp2 {
  Warp2() {
    launch.site(asks, AccessKind::volatile_load, 4);
    launch.site(swaps, AccessKind::compare_and_swap, 4);
    launch.site(counts, AccessKind::atomic, 4);
    launch.site(stores, AccessKind::store, 4);
    launch.site(adds, AccessKind::atomic, 4);
    launch.site(loads, AccessKind::load, 4);
    (*launch.sites)[swaps].result_used = true;
    (*launch.sites)[adds].effect = AtomicEffect::adds;
    log.take(idle);
    log.set_cursors(lanes.cursor);
    lanes.runnable = all_lanes;
  }
  void access(std::uint32_t lane, SiteNumber site, std::uint32_t word) {
    *lanes.cursor[lane] = std::uint64_t{site} << 48 | (flags.address() + 4 * word);
    lanes.cursor[lane] += WarpLog::lanes;
  }
  void set(std::uint32_t word, std::uint32_t value) {
    std::memcpy(flags.begin + 4 * word, &value, sizeof value);
  }
  void note() { polled.note(2, lanes, log); }
  // The block is stuck, another one runs, and this warp with it.
  [[nodiscard]] bool begin_search() {
    polled.settle();
    log.set_cursors(lanes.cursor);
    launch.context.block = 7;
    return polled.begin_search();
  }
  void search() { polled.search(2, all_lanes, lanes, log); }

  testing::LaunchFixture launch{{96, 1, 1}};
  const Region& flags =
      **launch.window.map_buffer(Region::Role::output, "flags", 4, 4096, -1, false);
  std::vector<WarpLog::Memory> idle;
  WarpLog log;
  Warp lanes;
  PolledWords polled{launch.context};
};

TEST_CASE("the writer of a polled word is found, with the lane that polls it") {
  Warp2 warp;
  warp.access(3, asks, 5);
  warp.note();
  REQUIRE(warp.begin_search());
  CHECK(warp.polled.is_searching());
  warp.access(1, stores, 4);
  warp.search();
  CHECK_FALSE(warp.polled.has_found());
  warp.set(5, 1);
  warp.access(9, loads, 5);
  warp.access(9, stores, 5);
  warp.search();
  CHECK(warp.polled.has_found());
  const auto writer = warp.polled.end_search();
  REQUIRE(writer);
  CHECK(writer->polled.address == warp.flags.address() + 20);
  CHECK(writer->polled.lane == 2 * 32 + 3);
  CHECK(writer->polled.site == asks);
  CHECK(writer->block == 7);
  CHECK(writer->lane == 2 * 32 + 9);
  CHECK(writer->site == stores);
  CHECK_FALSE(warp.polled.is_searching());
}

TEST_CASE("an access that leaves the value, or polls itself, is not the writer") {
  Warp2 warp;
  warp.access(0, swaps, 5);
  warp.note();
  REQUIRE(warp.begin_search());
  warp.access(1, stores, 5);  // the same value
  warp.search();
  CHECK_FALSE(warp.polled.has_found());
  warp.set(5, 1);
  Warp2 other;
  other.access(0, swaps, 5);
  other.note();
  REQUIRE(other.begin_search());
  other.set(5, 1);
  other.access(1, swaps, 5);
  other.search();
  CHECK_FALSE(other.polled.end_search());
}

TEST_CASE("an access that surely writes is preferred to one that may only read") {
  Warp2 warp;
  warp.access(0, asks, 5);
  warp.note();
  REQUIRE(warp.begin_search());
  warp.set(5, 1);
  warp.access(1, counts, 5);
  warp.access(2, adds, 5);
  warp.access(4, stores, 5);
  warp.search();
  const auto writer = warp.polled.end_search();
  REQUIRE(writer);
  CHECK(writer->site == adds);
}

TEST_CASE("only questions about global memory are noted") {
  Warp2 warp;
  warp.access(0, loads, 1);
  warp.access(0, stores, 2);
  warp.access(0, counts, 3);        // its result is not used
  warp.access(0, asks, 1'000'000);  // outside of every region
  warp.lanes.runnable = ~2u;        // lane 1 has returned
  warp.access(1, asks, 4);
  warp.note();
  CHECK_FALSE(warp.begin_search());
  CHECK_FALSE(warp.polled.is_searching());
}

TEST_CASE("a block that has changed global memory itself does not wait for another one") {
  Warp2 warp;
  warp.access(0, asks, 5);
  warp.note();
  warp.set(100, 1);
  CHECK_FALSE(warp.begin_search());

  // It has not, since it was watched.
  Warp2 watched;
  watched.access(0, asks, 5);
  watched.note();
  watched.set(100, 1);
  watched.polled.note_unchanged();
  CHECK(watched.begin_search());
}

TEST_CASE("words of an earlier wait are forgotten") {
  Warp2 warp;
  warp.access(0, asks, 5);
  warp.note();
  warp.polled.forget();
  warp.log.set_cursors(warp.lanes.cursor);
  warp.access(0, asks, 6);
  warp.note();
  REQUIRE(warp.begin_search());
  warp.set(5, 1);
  warp.access(1, stores, 5);
  warp.search();
  CHECK_FALSE(warp.polled.has_found());
  warp.set(6, 1);
  warp.access(1, stores, 6);
  warp.search();
  CHECK(warp.polled.has_found());
}

TEST_CASE("nothing is noted during a search") {
  Warp2 warp;
  warp.access(0, asks, 5);
  warp.note();
  REQUIRE(warp.begin_search());
  warp.access(0, asks, 6);
  warp.note();
  warp.set(6, 1);
  warp.access(1, stores, 6);
  warp.search();
  CHECK_FALSE(warp.polled.end_search());
}

}  // namespace
}  // namespace histolab::kernels::emulator
