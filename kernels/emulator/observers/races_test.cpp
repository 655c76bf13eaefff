// Tests races judged by rows, and reports that both race observers must make. For random programs
// see race_oracle_test.cpp.

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

using namespace testing;

TEST_CASE_FIXTURE(Rows, "each racing lane of a row adds to the count of its race") {
  act(1, 0, ~0u, 0);  // 31 lanes race with the first one
  for (const std::uint32_t word : {1u, 2u, 3u}) act(2, 0, ~0u, word);
  CHECK(told() == "1/1: 0.1, 0.0 x31\n2/2: 0.1, 0.0 x93");
}

TEST_CASE_FIXTURE(Rows, "the latest of many lanes that write one word is remembered") {
  act(1, 0, ~0u, 0);
  act(1, 1, 0b0110, 0);
  act(3, 0, 0b0001, 0);  // by the first writer
  launch.begin_block(1);
  act(4, 0, 0b1000, 0);
  CHECK(told() == "1/1: 0.1, 0.0 x33\n3/1: 0.0, 0.34 x1\n4/1: 1.3, 0.34 x1");
}

TEST_CASE_FIXTURE(Rows,
                  "of lanes that access a word together, the first and the last are remembered") {
  act(1, 0, 0b0110, 0);
  act(3, 0, 0b0010, 0);  // by the first writer
  launch.begin_block(1);
  act(4, 0, 0b0001, 0);
  CHECK(told() == "1/1: 0.2, 0.1 x1\n3/1: 0.1, 0.2 x1\n4/1: 1.0, 0.2 x1");
}

TEST_CASE("a thread that is first and among the last to access a word does not race with itself") {
  for (const std::uint32_t last : {0u, 3u}) {
    Rows rows;
    for (const std::uint32_t lanes : {1u << 5, 1u << 6, 1u << 5 | 1u << last})
      rows.act(1, 0, lanes, 0);
    rows.act(3, 0, 1u << 5, 0);  // by the first writer
    CHECK(rows.told() == fmt::format("1/1: 0.6, 0.5 x3\n3/1: 0.5, 0.{} x1", last));
  }
}

TEST_CASE_FIXTURE(Rows, "a thread that accesses a word first and last does not race with itself") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (const std::uint32_t lane : {5u, 6u, 5u}) act(5, 0, 1u << lane, 0);
  act(3, 0, 1u << 5, 0);
  CHECK(told() == "3/5: 0.5, 0.6 x1");
}

TEST_CASE_FIXTURE(Rows, "lanes of different rows are checked separately if their accesses differ") {
  launch.site(5, AccessKind::atomic, 4, 5);
  act(3, 2, 1, 0);
  for (const std::uint32_t lane : {0u, 1u, 2u, 3u}) act(5, 0, 1u << lane, 0);
  CHECK(told() == "5/3: 0.0, 0.64 x4");
}

TEST_CASE_FIXTURE(Rows, "cached results for one line's words are not used for another line") {
  for (const std::uint32_t warp : {0u, 1u}) act(2, warp, ~0u, 0);
  act(3, 2, 0b0011, 0);
  CHECK(told() == "2/2: 0.1, 0.0 x63\n3/2: 0.64, 0.63 x2");
}

TEST_CASE_FIXTURE(
    Rows,
    "of a line's words, only those with a race are reported, however often it accesses each") {
  launch.site(5, AccessKind::atomic, 4, 5);
  act(1, 2, 0b0011, 1);
  for (std::uint32_t round = 0; round < 4; ++round)
    for (const std::uint32_t word : {0u, 1u}) act(5, 0, ~0u, word);
  CHECK(told() == "1/1: 0.65, 0.64 x1\n5/1: 0.0, 0.65 x128");
}

TEST_CASE_FIXTURE(
    Rows,
    "each racing lane is counted, also after a line repeats its access without new findings") {
  launch.site(5, AccessKind::atomic, 4, 5);
  act(1, 2, 0b0011, 1);
  for (std::uint32_t round = 0; round < 8; ++round) act(5, 0, ~0u, 1);
  CHECK(told() == "1/1: 0.65, 0.64 x1\n5/1: 0.0, 0.65 x256");
}

TEST_CASE_FIXTURE(Rows, "the sites with the highest numbers are checked like all others") {
  constexpr SiteNumber last = 0xffff;
  launch.site(last - 1, AccessKind::store, 4, 8);
  launch.site(last, AccessKind::load, 4, 9);
  for (std::uint32_t round = 0; round < 2; ++round) {
    act(last - 1, 0, 0b01, 0);
    act(last, 0, 0b10, 0);
  }
  CHECK(told() == "9/8: 0.1, 0.0 x3");
}

TEST_CASE_FIXTURE(Rows,
                  "a shared access by lanes of another line makes a line's repeated access race") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (std::uint32_t round = 0; round < 3; ++round) act(5, 0, ~0u, 0);
  CHECK(told().empty());
  act(3, 1, 0b11, 0);
  act(5, 0, ~0u, 0);
  CHECK(told() == "3/5: 0.32, 0.31 x34");
}

TEST_CASE_FIXTURE(
    Rows, "lanes that share a word race with each other, also after two lanes of another line") {
  act(1, 0, 0b11, 0);
  act(2, 1, 0b11, 0);
  CHECK(told() == "1/1: 0.1, 0.0 x1\n2/1: 0.32, 0.1 x1\n2/2: 0.33, 0.32 x1");
}

TEST_CASE_FIXTURE(Rows, "an observer of uninitialized reads only reports no race of rows") {
  RaceObserver reads(launch.context, false, true);
  // Lanes share a word, or have one each.
  for (const SiteNumber site : std::array<SiteNumber, 4>{3, 1, 1, 2})
    for (const std::uint32_t distance : {0u, 4u, 8u}) {
      std::array<std::uint32_t, 32> offsets;
      for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = distance * (l & 1);
      for (const std::uint32_t warp : {0u, 1u})
        reads.on_access(access(launch, site, out, warp, 0b1111, offsets));
    }
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(
    Rows, "cached results for a line's words are invalid after other accesses to the region") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (std::uint32_t round = 0; round < 3; ++round) act(5, 0, ~0u, 0);
  CHECK(told().empty());
  act(1, 2, 1, 0);  // races
  act(1, 2, 1, 1);  // does not race
  act(5, 0, ~0u, 0);
  CHECK(told() == "1/5: 0.64, 0.31 x33");
}

TEST_CASE(
    "of unordered lanes of a warp, the latest races with another warp, also with __syncwarp") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true})
    CHECK(text(observed(by_hand(
              {{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {2, load, 4, 0, 0}, {32, store, 4, 0, 0}},
              warp_sync))) == " out 3/4");
}

TEST_CASE(
    "of several conflicting accesses, one at the same line is reported, also with __syncwarp") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true}) {
    Program program =
        by_hand({{0, store, 4, 0, 0}, {1, store, 4, 0, 0}, {2, store, 4, 0, 0}}, warp_sync);
    program.steps[2].site = 2;
    CHECK(text(observed(program)) == " out 1/2 out 2/2");
  }
}

TEST_CASE_FIXTURE(
    Rows,
    "with __syncwarp in the kernel, a race names one of the unordered lanes of the other line") {
  launch.context.has_warp_sync = true;
  RaceObserver lanes(launch.context, true, true);
  for (const auto& [site, lane] :
       std::array<std::pair<SiteNumber, std::uint32_t>, 3>{{{3, 1}, {4, 2}, {1, 3}}})
    lanes.on_access(access(launch, site, out, 1, 1u << lane, {}));
  CHECK(told() == "1/3: 0.35, 0.33 x1");
}

TEST_CASE("per-lane race state does not grow from barrier to barrier or from block to block") {
  LaunchFixture launch({32, 1, 1}, {1 << 15, 1, 1});
  const Region& out =
      launch.add({.role = Region::Role::output, .name = "out", .size = 64, .element_bytes = 4});
  launch.site(1, AccessKind::load, 4, 1);
  launch.context.has_warp_sync = true;
  RaceObserver observer(launch.context, true, true);
  launch.context.observers = {&observer};
  for (const bool blocks : {false, true}) {
    launch.begin_block(0);
    const std::size_t before = memory_in_use();
    for (std::uint32_t round = 1; round < 1 << 15; ++round) {
      observer.on_access(access(launch, 1, out, 0, 0b11, {}));
      if (blocks) {
        launch.end_block();
        launch.begin_block(round);
      } else {
        launch.barrier();
      }
    }
    CHECK(memory_in_use() < before + (1 << 20));
  }
}

TEST_CASE("a row with as many words as lanes may access a word twice, or words out of lane order") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0}, {1, store, 4, 0, 8}});
  Step& row = program.steps[0];
  row.lanes = 0b111;
  row.offset[1] = 8;
  row.offset[2] = 4;
  CHECK(text(observed(program)) == " nothing");
  row.offset[1] = 0;
  row.offset[2] = 8;
  CHECK(text(observed(program)) == " out 1/1 out 1/2");
}

TEST_CASE(
    "four reads of a thread can wait for their swap; one more makes the oldest a plain read") {
  using enum AccessKind;
  std::vector<Act> acts{
      {0, load, 4, 0, 0}, {0, load, 4, 0, 4}, {0, load, 4, 0, 8}, {0, load, 4, 0, 12}};
  acts.push_back({40, atomic, 4, 0, 0});
  acts.push_back({0, compare_and_swap, 4, 0, 0});
  CHECK(text(observed(by_hand(acts))) == " nothing");
  acts.insert(acts.begin() + 4, {0, load, 4, 1, 0});
  CHECK(observed(by_hand(acts)).contains({"out", 1, 6}));
}

TEST_CASE_FIXTURE(Rows,
                  "a race is undecided if both only write the word, and decided if one reads it") {
  const auto undecided = [&](std::uint32_t word, SiteNumber other) {
    launch.findings = {};
    act(1, 0, 1, word);
    act(other, 1, 1, word);
    launch.findings.settle();
    return launch.findings.undecided();
  };
  CHECK(undecided(0, 2) == std::set<RaceName>{{"out", Space::global, 1, 2}});
  CHECK(undecided(1, 3).empty());
}

TEST_CASE(
    "atomics of several threads on a word that an earlier block has read are reported at each "
    "line") {
  using enum AccessKind;
  const Act next_block{Act::next_block, load, 4, 0, 0};
  const Told told = observed(by_hand({{0, load, 4, 0, 8},
                                      next_block,
                                      {1, atomic, 4, 0, 8},
                                      {2, atomic, 4, 0, 8},
                                      {3, atomic, 4, 0, 8}}));
  CHECK(text(told) == " out 1/2 out 1/3 out 1/4");
}

TEST_CASE("bytes of a word accessed as a whole share its past accesses, but not the later ones") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true}) {
    Program program = by_hand(
        {{0, store, 8, 0, 8}, {1, store, 8, 0, 8}, {2, store, 1, 0, 10}, {3, store, 1, 0, 11}},
        warp_sync);
    program.steps[3].site = 3;  // the line of the other byte's access
    const Told told = observed(program);
    CHECK(told.contains({"out", 1, 2}));
    CHECK((told.contains({"out", 1, 3}) || told.contains({"out", 2, 3})));
    CHECK_FALSE(told.contains({"out", 3, 3}));
  }
}

TEST_CASE("an access that begins within a word touches no more than its own bytes") {
  using enum AccessKind;
  for (const std::uint32_t second : {5u, 6u}) {
    const Program program = by_hand({{0, store, 4, 0, 2}, {1, store, 4, 0, second}});
    const char* races = second == 5 ? " out 1/2" : " nothing";
    CHECK(text(observed(program)) == races);
    CHECK(text(observed_in_order(program).told) == races);
  }
}

TEST_CASE_FIXTURE(Places, "each lane that reads an unwritten word is counted, for lanes and rows") {
  LaneRaces lanes(launch.context, false, true);
  lanes.on_block_begin();
  RaceObserver rows(launch.context, false, true);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    lanes.on_lane_access(
        {.site = 3, .kind = AccessKind::load, .bytes = 4, .lane = lane, .region = &s, .offset = 8});
  rows.on_access(access(launch, 3, s, 0, ~0u, {}));
  CHECK(told() == "uninitialized_read 3/0 x64");
}

}  // namespace histolab::kernels::emulator
