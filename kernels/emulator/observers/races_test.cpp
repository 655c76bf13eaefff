// Races by rows, and what both race observers have to tell alike. Random programs: race_oracle_test.cpp.

#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

using namespace testing;

TEST_CASE_FIXTURE(Rows, "each lane that races is counted with the race that it is one more sight of") {
  act(1, 0, ~0u, 0);  // 31 of them race with the first one
  for (const std::uint32_t word : {1u, 2u, 3u}) act(2, 0, ~0u, word);
  CHECK(told() == "1/1: 0.1, 0.0 x31\n2/2: 0.1, 0.0 x93");
}

TEST_CASE_FIXTURE(Rows, "of many lanes that write one word, the latest is remembered") {
  act(1, 0, ~0u, 0);
  act(1, 1, 0b0110, 0);
  act(3, 0, 0b0001, 0);  // by the first that wrote it
  launch.begin_block(1);
  act(4, 0, 0b1000, 0);
  CHECK(told() == "1/1: 0.1, 0.0 x33\n3/1: 0.0, 0.34 x1\n4/1: 1.3, 0.34 x1");
}

TEST_CASE_FIXTURE(Rows, "of lanes that come to a word together, the first is remembered and the last") {
  act(1, 0, 0b0110, 0);
  act(3, 0, 0b0010, 0);  // by the first
  launch.begin_block(1);
  act(4, 0, 0b0001, 0);
  CHECK(told() == "1/1: 0.2, 0.1 x1\n3/1: 0.1, 0.2 x1\n4/1: 1.0, 0.2 x1");
}

TEST_CASE("who came to a word first is not the second, too, who comes again as the last of several") {
  for (const std::uint32_t last : {0u, 3u}) {
    Rows rows;
    for (const std::uint32_t lanes : {1u << 5, 1u << 6, 1u << 5 | 1u << last}) rows.act(1, 0, lanes, 0);
    rows.act(3, 0, 1u << 5, 0);  // by the first
    CHECK(rows.told() == fmt::format("1/1: 0.6, 0.5 x3\n3/1: 0.5, 0.{} x1", last));
  }
}

TEST_CASE_FIXTURE(Rows, "who came to a word first is not the second, too, who comes again alone") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (const std::uint32_t lane : {5u, 6u, 5u}) act(5, 0, 1u << lane, 0);
  act(3, 0, 1u << 5, 0);
  CHECK(told() == "3/5: 0.5, 0.6 x1");
}

TEST_CASE_FIXTURE(Rows, "that each lane of a row is told says nothing of what the next one is told, if they were not alike") {
  launch.site(5, AccessKind::atomic, 4, 5);
  act(3, 2, 1, 0);
  for (const std::uint32_t lane : {0u, 1u, 2u, 3u}) act(5, 0, 1u << lane, 0);
  CHECK(told() == "5/3: 0.0, 0.64 x4");
}

TEST_CASE_FIXTURE(Rows, "that one line's accesses to a word are all alike says nothing of another line's, which is looked up at the same place") {
  for (const std::uint32_t warp : {0u, 1u}) act(2, warp, ~0u, 0);
  act(3, 2, 0b0011, 0);
  CHECK(told() == "2/2: 0.1, 0.0 x63\n3/2: 0.64, 0.63 x2");
}

TEST_CASE_FIXTURE(Rows, "of a line's words, those that it races in are told, and no others, however often it comes to each") {
  launch.site(5, AccessKind::atomic, 4, 5);
  act(1, 2, 0b0011, 1);
  for (std::uint32_t round = 0; round < 4; ++round)
    for (const std::uint32_t word : {0u, 1u}) act(5, 0, ~0u, word);
  CHECK(told() == "1/1: 0.65, 0.64 x1\n5/1: 0.0, 0.65 x128");
}

TEST_CASE_FIXTURE(Rows, "a kernel's last sites are told as its first") {
  constexpr SiteNumber last = 0xffff;
  launch.site(last - 1, AccessKind::store, 4, 8), launch.site(last, AccessKind::load, 4, 9);
  for (std::uint32_t round = 0; round < 2; ++round) act(last - 1, 0, 0b01, 0), act(last, 0, 0b10, 0);
  CHECK(told() == "8/9: 0.0, 0.1 x3");
}

TEST_CASE_FIXTURE(Rows, "that lanes of another line come to a line's word together is news, too") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (std::uint32_t round = 0; round < 3; ++round) act(5, 0, ~0u, 0);
  CHECK(told().empty());
  act(3, 1, 0b11, 0);
  act(5, 0, ~0u, 0);
  CHECK(told() == "3/5: 0.32, 0.31 x34");
}

TEST_CASE_FIXTURE(Rows, "lanes that share a word race with each other, too, where two of another line had been there before") {
  act(1, 0, 0b11, 0);
  act(2, 1, 0b11, 0);
  CHECK(told() == "1/1: 0.1, 0.0 x1\n2/1: 0.32, 0.1 x1\n2/2: 0.33, 0.32 x1");
}

TEST_CASE_FIXTURE(Rows, "who is asked for reads of what nobody wrote, and for nothing else, tells of no race") {
  RaceObserver reads(launch.context, false, true);
  for (const SiteNumber site : std::array<SiteNumber, 4>{3, 1, 1, 2})  // lanes that share a word, and each its own
    for (const std::uint32_t distance : {0u, 4u, 8u}) {
      std::array<std::uint32_t, 32> offsets;
      for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = distance * (l & 1);
      for (const std::uint32_t warp : {0u, 1u}) reads.on_access(access(launch, site, out, warp, 0b1111, offsets));
    }
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(Rows, "what is known of a line's words holds until there is news of the region, be it twice and in two ways") {
  launch.site(5, AccessKind::atomic, 4, 5);
  for (std::uint32_t round = 0; round < 3; ++round) act(5, 0, ~0u, 0);
  CHECK(told().empty());
  act(1, 2, 1, 0);  // which races
  act(1, 2, 1, 1);  // which does not
  act(5, 0, ~0u, 0);
  CHECK(told() == "1/5: 0.64, 0.31 x33");
}

TEST_CASE_FIXTURE(Rows, "what would order the two is said for one warp, for one block and for two") {
  act(1, 0, 0b0001, 0);
  act(3, 0, 0b0010, 0);
  act(4, 1, 0b0001, 0);
  launch.begin_block(1);
  act(2, 0, 0b0001, 0);
  const auto says = [&](std::size_t number, const char* what) { return launch.findings.findings()[number].message.find(what) != std::string::npos; };
  CHECK(told() == "3/1: 0.1, 0.0 x1\n4/1: 0.32, 0.0 x1\n2/4: 1.0, 0.32 x1");
  CHECK(says(0, "that they are in one warp orders nothing"));
  CHECK(says(1, "where every thread of the block gets to it"));
  CHECK(says(2, "nothing orders two blocks"));
}

TEST_CASE_FIXTURE(Rows, "that an atomic operation is of its block only is said where one of the two is, and only there") {
  for (const SiteNumber site : std::array<SiteNumber, 4>{5, 6, 7, 8}) launch.site(site, AccessKind::atomic, 4, site);
  (*launch.sites)[5].scope = (*launch.sites)[8].scope = Scope::block;
  act(5, 0, 1, 0), act(7, 0, 1, 1), act(6, 0, 1, 2);
  launch.begin_block(1);
  act(6, 0, 1, 0), act(8, 0, 1, 1), act(3, 0, 1, 2);
  CHECK(told() == "6/5: 1.0, 0.0 x1\n8/7: 1.0, 0.0 x1\n3/6: 1.0, 0.0 x1");
  std::vector<bool> said;
  for (const Finding& finding : launch.findings.findings()) said.push_back(finding.message.find("_block is atomic within one block only") != std::string::npos);
  CHECK(said == std::vector<bool>{true, true, false});
}

TEST_CASE("of lanes of one warp that nothing orders, another warp meets the latest, with __syncwarp in the kernel or without") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true})
    CHECK(text(observed(by_hand({{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {2, load, 4, 0, 0}, {32, store, 4, 0, 0}}, warp_sync))) == " out 3/4");
}

TEST_CASE("of those that an access races with, one at its own line is told, with __syncwarp in the kernel or without") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true}) {
    Program program = by_hand({{0, store, 4, 0, 0}, {1, store, 4, 0, 0}, {2, store, 4, 0, 0}}, warp_sync);
    program.steps[2].site = 2;
    CHECK(text(observed(program)) == " out 1/2 out 2/2");
  }
}

TEST_CASE_FIXTURE(Rows, "of lanes of one warp that nothing orders, with __syncwarp in the kernel, the thread that is told is one of them") {
  launch.context.has_warp_sync = true;
  RaceObserver lanes(launch.context, true, true);
  for (const auto& [site, lane] : std::array<std::pair<SiteNumber, std::uint32_t>, 3>{{{3, 1}, {4, 2}, {1, 3}}}) lanes.on_access(access(launch, site, out, 1, 1u << lane, {}));
  CHECK(told() == "1/3: 0.35, 0.33 x1");
}

TEST_CASE("what is known of single lanes takes no more memory from barrier to barrier, nor from block to block") {
  LaunchFixture launch({32, 1, 1}, {1 << 15, 1, 1});
  const Region& out = launch.add({.role = Region::Role::output, .name = "out", .size = 64, .element_bytes = 4});
  launch.site(1, AccessKind::load, 4, 1);
  launch.context.has_warp_sync = true;
  RaceObserver observer(launch.context, true, true);
  launch.context.observers = {&observer};
  for (const bool blocks : {false, true}) {
    launch.begin_block(0);
    const std::size_t before = memory_in_use();
    for (std::uint32_t round = 1; round < 1 << 15; ++round) {
      observer.on_access(access(launch, 1, out, 0, 0b11, {}));
      if (blocks) launch.end_block(), launch.begin_block(round);
      else launch.barrier();
    }
    CHECK(memory_in_use() < before + (1 << 20));
  }
}

TEST_CASE("a row that covers as many words as it has lanes need not have one in each, nor in the order of the lanes") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0}, {1, store, 4, 0, 8}});
  Step& row = program.steps[0];
  row.lanes = 0b111;
  row.offset[1] = 8, row.offset[2] = 4;
  CHECK(text(observed(program)) == " nothing");
  row.offset[1] = 0, row.offset[2] = 8;
  CHECK(text(observed(program)) == " out 1/1 out 1/2");
}

TEST_CASE("four reads of a thread can wait for their swap; one more makes the oldest a plain read") {
  using enum AccessKind;
  std::vector<Act> acts{{0, load, 4, 0, 0}, {0, load, 4, 0, 4}, {0, load, 4, 0, 8}, {0, load, 4, 0, 12}};
  acts.push_back({40, atomic, 4, 0, 0});
  acts.push_back({0, compare_and_swap, 4, 0, 0});
  CHECK(text(observed(by_hand(acts))) == " nothing");
  acts.insert(acts.begin() + 4, {0, load, 4, 1, 0});
  CHECK(observed(by_hand(acts)).contains({"out", 1, 6}));
}

TEST_CASE("atomics of many threads on a word that an earlier block has read: each line of them is told") {
  using enum AccessKind;
  const Act next_block{Act::next_block, load, 4, 0, 0};
  const Told told = observed(by_hand({{0, load, 4, 0, 8}, next_block, {1, atomic, 4, 0, 8}, {2, atomic, 4, 0, 8}, {3, atomic, 4, 0, 8}}));
  CHECK(text(told) == " out 1/2 out 1/3 out 1/4");
}

TEST_CASE("the bytes of a word that was accessed as a whole have a common past, but each its own future") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true}) {
    Program program = by_hand({{0, store, 8, 0, 8}, {1, store, 8, 0, 8}, {2, store, 1, 0, 10}, {3, store, 1, 0, 11}}, warp_sync);
    program.steps[3].site = 3;  // the same line as the other byte's
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

TEST_CASE("a race, and a read of what nobody wrote, are told with the variable, its memory, the element where there are several, the lines and the threads") {
  LaunchFixture launch({64, 1, 1}, {4, 1, 1});
  const Region& pairs = launch.add({.role = Region::Role::output, .name = "pairs", .size = 64, .element_bytes = 8});
  const Region& words = launch.add({.role = Region::Role::shared_static, .space = Space::shared, .name = "words", .size = 64});
  const Region& alone = launch.add({.role = Region::Role::shared_static, .space = Space::shared, .name = "alone", .size = 4});
  launch.site(1, AccessKind::store, 4, 5), launch.site(2, AccessKind::load, 4, 6);
  RaceObserver observer(launch.context, true, true);
  launch.begin_block(3);
  const auto told = [&](const Region& region, std::uint32_t offset, bool is_written) {
    launch.findings = {};
    std::array<std::uint32_t, 32> offsets;
    offsets.fill(offset);
    if (is_written) observer.on_access(access(launch, 1, region, 1, 1u << 8, offsets));
    observer.on_access(access(launch, 2, region, 0, 1u << 7, offsets));
    const Finding& f = launch.findings.findings().at(0);
    return fmt::format("{} {}{} in {} memory, line {} thread {} of {}{}", name(f.kind), f.variable, f.index ? fmt::format("[{}]", *f.index) : "", f.space == Space::shared ? "shared" : "global",
                       f.line, f.thread->thread.x, f.thread->block.x, f.other_thread ? fmt::format(", line {} thread {} of {}", f.other_line, f.other_thread->thread.x, f.other_thread->block.x) : "");
  };
  CHECK(told(words, 24, false) == "uninitialized_read words[6] in shared memory, line 6 thread 7 of 3");
  CHECK(told(pairs, 20, true) == "data_race pairs[2] in global memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
  CHECK(told(words, 20, true) == "data_race words[5] in shared memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
  CHECK(told(alone, 0, true) == "data_race alone in shared memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
}

TEST_CASE("what the earlier one of two did is said, whether lanes are watched or rows") {
  const auto said = [](LaunchFixture& launch, auto&& act) {
    launch.site(5, AccessKind::load, 4, 5), launch.site(6, AccessKind::store, 4, 6), launch.site(7, AccessKind::atomic, 4, 7), launch.site(8, AccessKind::store, 4, 8);
    for (const SiteNumber earlier : std::array<SiteNumber, 3>{5, 6, 7}) act(earlier, 0, earlier), act(8, 1, earlier);
    launch.end_block();
    std::string all;
    for (const Finding& f : launch.findings.findings()) all += f.message.substr(f.message.find("while"), f.message.find(';') - f.message.find("while")) + "\n";
    return all;
  };
  const std::string expected = "while thread 0 of block 0 reads it (line 5)\nwhile thread 0 of block 0 writes it (line 6)\nwhile thread 0 of block 0 atomically updates it (line 7)\n";
  Places lanes;
  CHECK(said(lanes.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) { lanes.act(site, lane, 4 * word); }) == expected);
  Rows rows;
  CHECK(said(rows.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) { rows.act(site, 0, 1u << lane, word); }) == expected);
}

TEST_CASE_FIXTURE(Places, "two lines that race on two variables are told with each, whether lanes are watched or rows") {
  const auto variables = [&] {
    const FindingLog log = std::exchange(launch.findings, {});
    std::string all;
    for (const Finding& f : log.findings()) all += f.variable + " ";
    return all;
  };
  for (const Region* region : {&out, &s}) act(1, 0, *region, 4), act(3, 1, *region, 4);
  launch.end_block();
  CHECK(variables() == "out s ");
  RaceObserver rows(launch.context, true, false);
  for (const Region* region : {&out, &s}) rows.on_access(access(launch, 1, *region, 0, 0b01, {})), rows.on_access(access(launch, 3, *region, 0, 0b10, {}));
  CHECK(variables() == "out s ");
}

TEST_CASE_FIXTURE(Places, "each lane that reads what nobody wrote is counted, though it shares the word, whether lanes are watched or rows") {
  LaneRaces lanes(launch.context, false, true);
  lanes.on_block_begin();
  RaceObserver rows(launch.context, false, true);
  for (std::uint32_t lane = 0; lane < 32; ++lane) lanes.on_lane_access({.site = 3, .kind = AccessKind::load, .bytes = 4, .lane = lane, .region = &s, .offset = 8});
  rows.on_access(access(launch, 3, s, 0, ~0u, {}));
  CHECK(told() == "uninitialized_read 3/0 x64");
}

TEST_CASE_FIXTURE(Places, "of a read of shared memory that was written in part, the first byte that was not is named") {
  launch.site(5, AccessKind::load, 8, 5);
  const auto names_it = [&] { return std::exchange(launch.findings, {}).findings().at(0).message.find("before byte 4 of its 8 was written") != std::string::npos; };
  LaneRaces lanes(launch.context, false, true);
  lanes.on_block_begin();
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5})
    lanes.on_lane_access({.site = site, .kind = (*launch.sites)[site].kind, .bytes = (*launch.sites)[site].bytes, .lane = 0, .region = &s, .offset = 8});
  CHECK(names_it());
  RaceObserver rows(launch.context, false, true);
  std::array<std::uint32_t, 32> offsets;
  offsets.fill(8);
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5}) rows.on_access(access(launch, site, s, 0, 1, offsets));
  CHECK(names_it());
}

TEST_CASE("of one line's read and write, whether rows or lanes are watched: who reads by the writer's own read updates the word, too") {
  struct ByLane {
    SiteNumber site;
    std::uint32_t lane;
  };
  constexpr SiteNumber own = 5, of_another = 6, write = 7, atomically = 8, next_block = 0, barrier = 9;
  const auto update = [](LaunchFixture& launch, const std::vector<ByLane>& moments, auto&& act) {
    launch.site(own, AccessKind::load, 4, 9), launch.site(of_another, AccessKind::load, 4, 9), launch.site(write, AccessKind::store, 4, 9);
    launch.site(atomically, AccessKind::atomic, 4, 9);
    (*launch.sites)[own].origin = 1, (*launch.sites)[of_another].origin = 2;
    for (const auto& [site, lane] : moments)
      if (site == barrier) launch.barrier();
      else if (site != next_block) act(site, lane);
      else launch.end_block(), launch.begin_block(launch.context.block + 1);
    launch.end_block();
    REQUIRE(launch.findings.findings().size() == 1);
    return launch.findings.findings()[0].message.find("both update") != std::string::npos;
  };
  const auto by_both = [&](const std::vector<ByLane>& moments) {
    Rows rows;
    rows.launch.context.observers = {&rows.observer};
    const bool of_rows = update(rows.launch, moments, [&](SiteNumber site, std::uint32_t lane) { rows.act(site, 0, 1u << lane, 0); });
    rows.launch.context.observers = {};
    Places places;
    CHECK(of_rows == update(places.launch, moments, [&](SiteNumber site, std::uint32_t lane) { places.act(site, lane, 0); }));
    return of_rows;
  };
  CHECK(by_both({{own, 0}, {own, 1}, {write, 0}}));
  CHECK(by_both({{own, 1}, {own, 0}, {write, 0}}));
  CHECK(by_both({{own, 0}, {write, 0}, {own, 1}}));
  CHECK(by_both({{own, 0}, {write, 0}, {next_block, 0}, {own, 3}}));
  CHECK(by_both({{own, 3}, {next_block, 0}, {own, 0}, {write, 0}}));
  CHECK_FALSE(by_both({{own, 0}, {of_another, 1}, {write, 0}}));
  CHECK_FALSE(by_both({{own, 0}, {write, 0}, {of_another, 1}}));
  CHECK_FALSE(by_both({{own, 0}, {write, 0}, {next_block, 0}, {of_another, 0}}));
  CHECK_FALSE(by_both({{own, 1}, {write, 0}}));
  CHECK_FALSE(by_both({{own, 1}, {barrier, 0}, {write, 0}, {next_block, 0}, {own, 3}}));
  CHECK_FALSE(by_both({{own, 0}, {own, 1}, {atomically, 0}}));
  CHECK_FALSE(by_both({{own, 0}, {atomically, 0}, {own, 1}}));
}

}  // namespace histolab::kernels::emulator
