// Tests the findings about races and uninitialized reads, which both race observers share.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

using namespace testing;

TEST_CASE_FIXTURE(
    Rows, "a race message says what would order two lanes of a warp, two warps, or two blocks") {
  act(1, 0, 0b0001, 0);
  act(3, 0, 0b0010, 0);
  act(4, 1, 0b0001, 0);
  launch.begin_block(1);
  act(2, 0, 0b0001, 0);
  const auto says = [&](std::size_t number, const char* what) {
    return launch.findings.findings()[number].message.find(what) != std::string::npos;
  };
  CHECK(told() == "3/1: 0.1, 0.0 x1\n4/1: 0.32, 0.0 x1\n2/4: 1.0, 0.32 x1");
  CHECK(says(0, "being in the same warp does not order them"));
  CHECK(says(1, "where every thread of the block reaches it"));
  CHECK(says(2, "no barrier spans two blocks"));
}

TEST_CASE("with fences in the kernel, the message of a race also suggests a __threadfence()") {
  const auto says_it = [](LaunchFixture& launch, auto&& act) {
    launch.site(5, AccessKind::load, 4, 5);
    launch.site(6, AccessKind::store, 4, 6);
    act(1, 0, 0);
    act(5, 1, 0);
    act(6, 0, 1);
    launch.end_block();
    launch.begin_block(1);
    act(5, 1, 1);
    launch.end_block();
    REQUIRE(launch.findings.findings().size() == 2);
    return std::ranges::all_of(launch.findings.findings(), [](const Finding& f) {
      return f.message.find("a __threadfence() after the first access") != std::string::npos;
    });
  };
  Places lanes;
  CHECK(says_it(lanes.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) {
    lanes.act(site, lane, 4 * word);
  }));
  for (const bool fences : {true, false}) {
    Rows rows;
    rows.launch.context.has_fence = fences;
    CHECK(says_it(rows.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) {
            rows.act(site, 0, 1u << lane, word);
          }) == fences);
  }
}

TEST_CASE_FIXTURE(Rows,
                  "a race message mentions block scope only if one of the two atomics has it") {
  for (const SiteNumber site : std::array<SiteNumber, 4>{5, 6, 7, 8})
    launch.site(site, AccessKind::atomic, 4, site);
  (*launch.sites)[5].scope = (*launch.sites)[8].scope = Scope::block;
  act(5, 0, 1, 0);
  act(7, 0, 1, 1);
  act(6, 0, 1, 2);
  launch.begin_block(1);
  act(6, 0, 1, 0);
  act(8, 0, 1, 1);
  act(3, 0, 1, 2);
  CHECK(told() == "6/5: 1.0, 0.0 x1\n8/7: 1.0, 0.0 x1\n3/6: 1.0, 0.0 x1");
  std::vector<bool> said;
  for (const Finding& finding : launch.findings.findings())
    said.push_back(finding.message.find("_block is atomic within one block only") !=
                   std::string::npos);
  CHECK(said == std::vector<bool>{true, true, false});
}

TEST_CASE("races and uninitialized reads name variable, element, memory space, lines and threads") {
  LaunchFixture launch({64, 1, 1}, {4, 1, 1});
  const Region& pairs =
      launch.add({.role = Region::Role::output, .name = "pairs", .size = 64, .element_bytes = 8});
  const Region& words = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "words", .size = 64});
  const Region& alone = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "alone", .size = 4});
  launch.site(1, AccessKind::store, 4, 5);
  launch.site(2, AccessKind::load, 4, 6);
  RaceObserver observer(launch.context, true, true);
  launch.begin_block(3);
  const auto told = [&](const Region& region, std::uint32_t offset, bool is_written) {
    launch.findings = {};
    std::array<std::uint32_t, 32> offsets;
    offsets.fill(offset);
    if (is_written) observer.on_access(access(launch, 1, region, 1, 1u << 8, offsets));
    observer.on_access(access(launch, 2, region, 0, 1u << 7, offsets));
    const Finding& f = launch.findings.findings().at(0);
    return fmt::format("{} {}{} in {} memory, line {} thread {} of {}{}", name(f.kind), f.variable,
                       f.index ? fmt::format("[{}]", *f.index) : "",
                       f.space == Space::shared ? "shared" : "global", f.line, f.thread->thread.x,
                       f.thread->block.x,
                       f.other_thread
                           ? fmt::format(", line {} thread {} of {}", f.other_line,
                                         f.other_thread->thread.x, f.other_thread->block.x)
                           : "");
  };
  CHECK(told(words, 24, false) ==
        "uninitialized_read words[6] in shared memory, line 6 thread 7 of 3");
  CHECK(told(pairs, 20, true) ==
        "data_race pairs[2] in global memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
  CHECK(told(words, 20, true) ==
        "data_race words[5] in shared memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
  CHECK(told(alone, 0, true) ==
        "data_race alone in shared memory, line 6 thread 7 of 3, line 5 thread 40 of 3");
}

TEST_CASE(
    "a wide read of unwritten shared memory counts once per lane, however many words it has") {
  LaunchFixture launch({1, 1, 1}, {32, 1, 1});
  const Region& s = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "s", .size = 512});
  launch.site(1, AccessKind::load, 16, 5);
  RaceObserver observer(launch.context, false, true);
  launch.begin_block(0);
  std::array<std::uint32_t, 32> offsets{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) offsets[lane] = 16 * lane;
  observer.on_access(access(launch, 1, s, 0, 0b101, offsets));
  REQUIRE(launch.findings.findings().size() == 1);
  CHECK(launch.findings.findings()[0].count == 2);
}

TEST_CASE("a race message says whether the earlier access reads, writes or atomically updates") {
  const auto said = [](LaunchFixture& launch, auto&& act) {
    launch.site(5, AccessKind::load, 4, 5);
    launch.site(6, AccessKind::store, 4, 6);
    launch.site(7, AccessKind::atomic, 4, 7);
    launch.site(8, AccessKind::store, 4, 8);
    for (const SiteNumber earlier : std::array<SiteNumber, 3>{5, 6, 7}) {
      act(earlier, 0, earlier);
      act(8, 1, earlier);
    }
    launch.end_block();
    std::string all;
    for (const Finding& f : launch.findings.findings())
      all +=
          f.message.substr(f.message.find("while"), f.message.find(';') - f.message.find("while")) +
          "\n";
    return all;
  };
  const std::string expected =
      "while thread 0 of block 0 reads it (line 5)\nwhile thread 0 of block 0 writes it (line "
      "6)\nwhile thread 0 of block 0 atomically updates it (line 7)\n";
  Places lanes;
  CHECK(said(lanes.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) {
          lanes.act(site, lane, 4 * word);
        }) == expected);
  Rows rows;
  CHECK(said(rows.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) {
          rows.act(site, 0, 1u << lane, word);
        }) == expected);
}

TEST_CASE_FIXTURE(
    Places,
    "two lines that race on two variables are reported with each variable, for lanes and rows") {
  const auto variables = [&] {
    const FindingLog log = std::exchange(launch.findings, {});
    std::string all;
    for (const Finding& f : log.findings()) all += f.variable + " ";
    return all;
  };
  for (const Region* region : {&out, &s}) {
    act(1, 0, *region, 4);
    act(3, 1, *region, 4);
  }
  launch.end_block();
  CHECK(variables() == "out s ");
  RaceObserver rows(launch.context, true, false);
  for (const Region* region : {&out, &s}) {
    rows.on_access(access(launch, 1, *region, 0, 0b01, {}));
    rows.on_access(access(launch, 3, *region, 0, 0b10, {}));
  }
  CHECK(variables() == "out s ");
}

TEST_CASE_FIXTURE(Places, "a read of partly written shared memory names the first unwritten byte") {
  launch.site(5, AccessKind::load, 8, 5);
  const auto names_it = [&] {
    return std::exchange(launch.findings, {})
               .findings()
               .at(0)
               .message.find("before byte 4 of its 8 was written") != std::string::npos;
  };
  LaneRaces lanes(launch.context, false, true);
  lanes.on_block_begin();
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5})
    lanes.on_lane_access({.site = site,
                          .kind = (*launch.sites)[site].kind,
                          .bytes = (*launch.sites)[site].bytes,
                          .lane = 0,
                          .region = &s,
                          .offset = 8});
  CHECK(names_it());
  RaceObserver rows(launch.context, false, true);
  std::array<std::uint32_t, 32> offsets;
  offsets.fill(8);
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5})
    rows.on_access(access(launch, site, s, 0, 1, offsets));
  CHECK(names_it());
}

TEST_CASE(
    "a message says that both update only if the other thread reads at the writer's own read") {
  struct ByLane {
    SiteNumber site;
    std::uint32_t lane;
  };
  constexpr SiteNumber own = 5, of_another = 6, write = 7, atomically = 8, next_block = 0,
                       barrier = 9;
  const auto update = [](LaunchFixture& launch, const std::vector<ByLane>& moments, auto&& act) {
    launch.site(own, AccessKind::load, 4, 9);
    launch.site(of_another, AccessKind::load, 4, 9);
    launch.site(write, AccessKind::store, 4, 9);
    launch.site(atomically, AccessKind::atomic, 4, 9);
    (*launch.sites)[own].origin = 1;
    (*launch.sites)[of_another].origin = 2;
    for (const auto& [site, lane] : moments)
      if (site == barrier)
        launch.barrier();
      else if (site != next_block) {
        act(site, lane);
      } else {
        launch.end_block();
        launch.begin_block(launch.context.block + 1);
      }
    launch.end_block();
    REQUIRE(launch.findings.findings().size() == 1);
    return launch.findings.findings()[0].message.find("both update") != std::string::npos;
  };
  const auto by_both = [&](const std::vector<ByLane>& moments) {
    Rows rows;
    rows.launch.context.observers = {&rows.observer};
    const bool of_rows = update(rows.launch, moments, [&](SiteNumber site, std::uint32_t lane) {
      rows.act(site, 0, 1u << lane, 0);
    });
    rows.launch.context.observers = {};
    Places places;
    CHECK(of_rows == update(places.launch, moments, [&](SiteNumber site, std::uint32_t lane) {
            places.act(site, lane, 0);
          }));
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
