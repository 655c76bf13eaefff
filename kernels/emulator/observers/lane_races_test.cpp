// Tests races judged by lanes, with fences: the knowledge that is passed on, and for how many
// words. For the accesses that are kept per word, see lane_race_cells_test.cpp.

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <utility>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

using namespace testing;

TEST_CASE(
    "a store that follows a volatile read of the word publishes nothing before the next barrier") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0},
                             {0, store, 4, 0, 8},
                             {1, store, 4, 0, 4},
                             {1, volatile_load, 4, 0, 8},
                             {1, volatile_load, 4, 0, 8},
                             {1, store, 4, 0, 8},
                             {2, volatile_load, 4, 0, 8},
                             {2, load, 4, 0, 4}});
  for (const SiteNumber line : std::array<SiteNumber, 2>{2, 6})
    program.sites[line].first.is_volatile = true;
  program.steps.insert(program.steps.begin() + 3, {.what = Step::What::fence, .lanes = 0b10});
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::fence, .lanes = 0b01});
  CHECK(text(observed_in_order(program).told) == " out 3/8 out 6/7");
  Program from_another_block = program;
  from_another_block.steps.insert(from_another_block.steps.begin() + 3,
                                  {.what = Step::What::next_block});
  CHECK(text(observed_in_order(from_another_block).told) == " out 3/8 out 6/7");
  program.steps.insert(program.steps.begin() + 6, {.what = Step::What::barrier});
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE("a plain read held for a compare-and-swap does not keep a later store from publishing") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0},
                             {0, load, 4, 0, 8},
                             {0, store, 4, 0, 8},
                             {1, volatile_load, 4, 0, 8},
                             {1, load, 4, 0, 0},
                             {2, compare_and_swap, 4, 0, 12}});
  program.sites[3].first.is_volatile = true;
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::fence, .lanes = 0b01});
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE("__syncwarp of a partial warp orders its existing lanes") {
  using enum AccessKind;
  Program program = by_hand({{64, store, 4, 0, 0}, {65, load, 4, 0, 0}});
  program.steps.insert(program.steps.begin() + 1,
                       {.what = Step::What::warp_sync, .warp = 2, .lanes = ~0u});
  CHECK(text(observed(program)) == " nothing");
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE_FIXTURE(Places,
                  "releases at more than the tracked addresses cause a note, and no false race") {
  act(1, 3, 0);
  observer.on_fence(3, Scope::device);
  release(3, out, most);
  CHECK(launch.findings.findings().empty());
  for (std::uint32_t place = most + 1; place < 3000; ++place) act(2, 3, 4 * place);
  CHECK(told() == "unsupported 2/0 x1");
  next_block();
  act(2, 5, 4 * 2900);
  act(3, 5, 0);
  CHECK(told() == "unsupported 2/0 x1");
  act(3, 6, 0);
  CHECK(told() == "unsupported 2/0 x1\ndata_race 3/1 x1");
  CHECK(launch.findings.findings()[0].message.starts_with(
      "thread 3 of block 0 publishes its writes through a word of out, but the emulator tracks "
      "only "
      "1024 such words"));
}

TEST_CASE_FIXTURE(
    Places,
    "shared addresses beyond the limit leave a released global address untracked, with a note") {
  act(1, 3, 0);
  observer.on_fence(3, Scope::device);
  release(3, s, most);
  act(2, 3, 8);
  next_block();
  act(2, 5, 8);
  act(3, 5, 0);
  CHECK(told() == "unsupported 2/0 x1");
  act(1, 7, 4);
  observer.on_fence(7, Scope::device);
  act(2, 7, 8);  // adds its own release to those at that word
  next_block();
  act(2, 6, 8);
  act(3, 6, 0);
  act(3, 6, 4);
  CHECK(told() == "unsupported 2/0 x1");
}

TEST_CASE_FIXTURE(Places,
                  "the note on untracked addresses names the variable and its memory space") {
  act(1, 3, 0);
  observer.on_fence(3, Scope::device);
  release(3, s, most + 1);
  REQUIRE(told() == "unsupported 2/0 x1");
  CHECK(launch.findings.findings()[0].variable == "s");
  CHECK(launch.findings.findings()[0].severity == Severity::note);
  CHECK(launch.findings.findings()[0].space == Space::shared);
}

TEST_CASE("the number of tracked addresses depends on the knowledge per address: 1024 to 65536") {
  struct Shape {
    std::uint32_t threads, blocks, places;
  };
  for (const Shape& shape : {Shape{32, 1 << 20, 1024}, Shape{32, 1 << 10, 2674},
                             Shape{1024, 1, 4090}, Shape{32, 1, 1 << 16}}) {
    LaunchFixture launch({shape.threads, 1, 1}, {shape.blocks, 1, 1});
    const Region& out = launch.add(
        {.role = Region::Role::output, .name = "out", .size = 1 << 19, .element_bytes = 4});
    make_writable({&out});
    launch.site(1, AccessKind::store, 4, 1);
    launch.site(2, AccessKind::atomic, 4, 2);
    launch.context.has_fence = true;
    LaneRaces observer(launch.context, true, false);
    launch.context.observers = {&observer};
    launch.begin_block(0);
    const auto act = [&](SiteNumber site, std::uint32_t place) {
      observer.on_lane_access({.site = site,
                               .kind = (*launch.sites)[site].kind,
                               .bytes = 4,
                               .lane = 0,
                               .region = &out,
                               .offset = 4 * place});
    };
    act(1, 0);
    observer.on_fence(0, Scope::device);
    for (std::uint32_t place = 1; place <= shape.places; ++place) act(2, place);
    CHECK(launch.findings.findings().empty());
    act(2, shape.places + 1);
    CHECK(launch.findings.findings().size() == 1);
  }
}

TEST_CASE_FIXTURE(Places, "a use of memory races with its free, whichever comes first") {
  launch.site(6, AccessKind::release, 4, 6);
  act(3, 1, 8);
  act(6, 0, 0);
  CHECK(told() == "data_race 6/3 x1");
  act(1, 1, 8);
  launch.end_block();
  CHECK(told() == "data_race 6/3 x1\ndata_race 1/6 x1");
}

TEST_CASE_FIXTURE(Places, "an observer of uninitialized reads only reports no race of lanes") {
  LaneRaces reads(launch.context, false, true);
  reads.on_block_begin();
  for (const Region* region : {&out, &s})
    for (const SiteNumber site : std::array<SiteNumber, 3>{1, 3, 1})
      for (std::uint32_t lane = 0; lane < 3; ++lane)
        reads.on_lane_access({.site = site,
                              .kind = (*launch.sites)[site].kind,
                              .bytes = 4,
                              .lane = lane,
                              .region = region,
                              .offset = 0});
  reads.on_block_end();
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(Places,
                  "a wide read of unwritten shared memory counts once, however many words it has") {
  launch.site(5, AccessKind::load, 16, 5);
  LaneRaces reads(launch.context, false, true);
  reads.on_block_begin();
  reads.on_lane_access(
      {.site = 5, .kind = AccessKind::load, .bytes = 16, .lane = 0, .region = &s, .offset = 0});
  CHECK(told() == "uninitialized_read 5/0 x1");
}

TEST_CASE_FIXTURE(
    Places, "a use of freed memory at a line that races with the free is merged into that race") {
  launch.site(6, AccessKind::release, 4, 6);
  act(3, 1, 0);
  act(6, 0, 0);
  CHECK(told() == "data_race 6/3 x1");
  Finding use;
  use.kind = FindingKind::out_of_bounds;
  use.space = Space::global;
  use.variable = "out";
  use.line = 3;
  launch.findings.is_about_freed(launch.findings.add(use));
  launch.findings.settle();
  CHECK(told() == "data_race 6/3 x1");
}

TEST_CASE_FIXTURE(Places,
                  "a release at a heap word is forgotten when the memory is handed out again") {
  Region& heap = launch.window.new_heap_region();
  heap.role = Region::Role::heap;
  heap.size = 64;
  launch.site(6, AccessKind::release, 4, 6);
  act(1, 0, 0);
  observer.on_fence(0, Scope::device);
  act(2, 0, heap, 0);
  SUBCASE("freed") {
    act(6, 0, heap, 0);
    ++heap.times_handed_out;
    act(2, 1, heap, 0);
    act(3, 1, 0);
    CHECK(told() == "data_race 3/1 x1");
  }
  SUBCASE("not freed") {
    act(2, 1, heap, 0);
    act(3, 1, 0);
    CHECK(told().empty());
  }
}

TEST_CASE_FIXTURE(
    Places, "a held read of freed memory is dropped if less memory is handed out there again") {
  Region& heap = launch.window.new_heap_region();
  heap.role = Region::Role::heap;
  heap.size = 1 << 30;
  launch.context.has_compare_and_swap = true;
  LaneRaces lanes(launch.context, true, false);
  lanes.on_block_begin();
  lanes.on_lane_access({.site = 3,
                        .kind = AccessKind::load,
                        .bytes = 4,
                        .lane = 0,
                        .region = &heap,
                        .offset = (1 << 30) - 4});
  heap.size = 16;
  ++heap.times_handed_out;
  lanes.on_block_end();
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(
    Places, "accesses to inputs, constants and local memory are not races, for lanes and rows") {
  RaceObserver rows(launch.context, true, true);
  for (const Region::Role role :
       {Region::Role::input, Region::Role::constant, Region::Role::local}) {
    const Region& region = launch.add({.role = role, .name = "data", .size = 64});
    make_writable({&region});
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      act(1, lane, region, 0);
      rows.on_access(access(launch, 1, region, 0, 1u << lane, {}));
    }
  }
  launch.end_block();
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(Places, "after a free, a read held for a compare-and-swap becomes plain") {
  const Region& heap = launch.add({.role = Region::Role::heap, .name = "heap", .size = 64});
  launch.site(6, AccessKind::release, 4, 6);
  launch.context.has_compare_and_swap = true;
  LaneRaces lanes(launch.context, true, false);
  lanes.on_block_begin();
  const std::array<std::pair<SiteNumber, const Region*>, 3> acts{
      {{3, &out}, {6, &heap}, {2, &out}}};
  for (std::uint32_t lane = 0; lane < acts.size(); ++lane)
    lanes.on_lane_access({.site = acts[lane].first,
                          .kind = (*launch.sites)[acts[lane].first].kind,
                          .bytes = 4,
                          .lane = lane,
                          .region = acts[lane].second,
                          .offset = 0});
  CHECK(told() == "data_race 2/3 x1");
}

TEST_CASE("a second run ends once each race has shown two values; a first run does not") {
  const auto is_over_with = [](Places& places, const Region& region) {
    for (const std::uint32_t lane : {0u, 1u}) {
      places.act(1, lane, region, 4);
      // The stored value is in memory when the next access is shown.
      region.begin[4] = static_cast<std::uint8_t>(lane);
    }
    places.next_block();
    return places.launch.context.decided;
  };
  Places first, second;
  CHECK_FALSE(is_over_with(first, first.out));
  second.launch.context.undecided = {{"out", Space::global, 1, 1}, {"s", Space::shared, 1, 1}};
  CHECK_FALSE(is_over_with(second, second.out));
  CHECK(is_over_with(second, second.s));
}

namespace {

// Two lanes store to one word. Tests if their race is a note, because both store the same value.
struct Values : Places {
  Values() { (*launch.sites)[3].ends_early = true; }
  void put(std::uint32_t value) { std::memcpy(out.begin, &value, sizeof value); }
  void report_store(std::uint32_t lane, bool is_early = false) {
    observer.on_lane_access({.site = 1,
                             .kind = AccessKind::store,
                             .bytes = 4,
                             .lane = lane,
                             .region = &out,
                             .offset = 0,
                             .is_early = is_early});
  }
  void store(std::uint32_t lane, std::uint32_t value) {
    report_store(lane);
    put(value);
  }
  bool is_note() {
    launch.end_block();
    observer.on_launch_end();
    REQUIRE(launch.findings.findings().size() == 1);
    return launch.findings.findings()[0].severity == Severity::note;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Values,
                  "the value of a delayed store is read after the lane's next access is reported") {
  put(5);
  report_store(1, true);  // *p = *q: both are shown, then the copy is made
  act(3, 2, 8);           // another lane runs in between
  observer.on_due_store(1);
  act(3, 1, 4);
  put(7);
  store(2, 7);
  CHECK(is_note());
}

TEST_CASE_FIXTURE(Values, "the value in memory before a delayed store is not its value") {
  put(5);
  report_store(1, true);
  observer.on_due_store(1);
  act(3, 1, 4);
  put(7);
  store(2, 5);
  CHECK_FALSE(is_note());
}

TEST_CASE_FIXTURE(Values, "a delayed store is due even if the read before it is not observed") {
  put(5);
  report_store(1, true);
  observer.on_due_store(1);
  put(7);
  act(3, 2, 8);
  store(2, 7);
  CHECK(is_note());
}

TEST_CASE_FIXTURE(Values, "a delayed store whose lane has ended is not made in the next block") {
  store(2, 5);
  report_store(1, true);
  next_block();
  put(7);
  observer.on_due_store(1);  // of another store of the lane with this number
  act(3, 1, 4);
  launch.end_block();
  observer.on_launch_end();
  CHECK(launch.findings.findings().empty());
}

TEST_CASE_FIXTURE(Values,
                  "the value of a store is unknown if its lane makes another access first") {
  put(5);
  report_store(1);
  observer.on_interrupted_store(1);
  act(3, 1, 4);
  put(5);
  store(2, 5);
  CHECK_FALSE(is_note());
}

TEST_CASE_FIXTURE(Values,
                  "the value of an interrupted store is also unknown if its lane comes second") {
  store(2, 5);
  report_store(1);
  observer.on_interrupted_store(1);
  put(5);
  CHECK_FALSE(is_note());
}

TEST_CASE_FIXTURE(Values, "an interrupted store of one lane does not affect the store of another") {
  store(2, 5);
  observer.on_interrupted_store(1);
  store(1, 5);
  CHECK(is_note());
}

}  // namespace histolab::kernels::emulator
