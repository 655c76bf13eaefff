// Tests races judged by lanes: the accesses that are kept per address, of this block and of earlier
// ones, and the reported races.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

using namespace testing;

TEST_CASE("a conflict is reported with the latest access of each of two threads") {
  using enum AccessKind;
  CHECK(text(observed_in_order(by_hand({{0, load, 4, 0, 0},
                                        {1, load, 4, 0, 0},
                                        {0, load, 4, 0, 0},
                                        {2, store, 4, 0, 0}}))
                 .told) == " out 2/4 out 3/4");
}

TEST_CASE(
    "of three unordered readers two are remembered, but all lanes of a warp with __syncwarp") {
  using enum AccessKind;
  const std::vector<Act> acts{
      {0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {2, load, 4, 0, 0}, {32, store, 4, 0, 0}};
  CHECK(text(observed_in_order(by_hand(acts)).told) == " out 1/4 out 2/4");
  CHECK(text(observed_in_order(by_hand(acts, true)).told) == " out 1/4 out 2/4 out 3/4");
}

TEST_CASE("a race with a write is not also reported for a read ordered before that write") {
  using enum AccessKind;
  Program program = by_hand({{0, load, 4, 0, 0},
                             {1, store, 4, 0, 0},
                             {Act::next_block, load, 4, 0, 0},
                             {0, store, 4, 0, 0}});
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::barrier});
  CHECK(text(observed_in_order(program).told) == " out 2/3");
}

// If no thread can ever be ordered after an access, the cell keeps one such access per line. A
// later access that a thread may be ordered after does not replace it.
TEST_CASE(
    "a released access does not hide another thread's access at its line from the next block") {
  using enum AccessKind;
  Program program = by_hand({{0, load, 4, 0, 0},
                             {1, load, 4, 0, 0},
                             {1, atomic, 4, 0, 8},
                             {Act::next_block, load, 4, 0, 0},
                             {2, atomic, 4, 0, 8},
                             {2, store, 4, 0, 0}});
  program.steps[1].site = 1;
  program.steps.insert(program.steps.begin() + 2, {.what = Step::What::fence, .lanes = 0b10});
  for (const bool first_of_the_grid : {true, false}) {
    if (!first_of_the_grid)
      program.steps.insert(program.steps.begin(), {.what = Step::What::next_block});
    CHECK(text(observed_in_order(program).told) == " out 1/5");
    Program released_by_all = program;
    // Remove the thread without a release.
    std::ranges::find(released_by_all.steps, 1, &Step::site)->lanes = 0;
    CHECK(text(observed_in_order(released_by_all).told) == " nothing");
  }
}

TEST_CASE(
    "happens-before from an atomic after a barrier does not include another thread's before it") {
  using enum AccessKind;
  Program program = by_hand({{0, atomic, 4, 0, 8},
                             {1, store, 4, 0, 0},
                             {1, atomic, 4, 0, 8},
                             {Act::next_block, load, 4, 0, 0},
                             {2, atomic, 4, 0, 8},
                             {2, store, 4, 0, 8}});
  program.steps.insert(program.steps.begin() + 2, {.what = Step::What::barrier});
  program.steps.insert(program.steps.begin() + 2, {.what = Step::What::fence, .lanes = 0b10});
  CHECK(text(observed_in_order(program).told) == " out 1/5");
  program.steps[0].lanes = 0;
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE(
    "stores of one value are a note only if the earlier thread published no other value there") {
  using enum AccessKind;
  Program program =
      by_hand({{0, store, 4, 0, 0}, {0, store, 4, 0, 8}, {0, store, 4, 0, 8}, {1, store, 4, 0, 8}});
  for (const SiteNumber line : std::array<SiteNumber, 2>{2, 3})
    program.sites[line].first.is_volatile = true;
  program.steps[2].value = program.steps[3].value = 1;
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::fence, .lanes = 0b01});
  CHECK(text(observed_in_order(program).told) == " out 3/4");
  CHECK(text(observed_in_order(program).notes) == " nothing");
  program.steps[2].value = 1;
  CHECK(text(observed_in_order(program).notes) == " out 3/4");
}

TEST_CASE("only stores since the barrier decide whether two threads write one value") {
  using enum AccessKind;
  for (const AccessKind before : {store, load})
    for (const std::uint32_t who : {0u, 2u}) {
      Program program = by_hand(
          {{who, before, 4, 0, 0}, {0, store, 4, 0, 0}, {0, store, 4, 0, 0}, {1, store, 4, 0, 0}});
      for (const std::size_t i : {1u, 2u, 3u}) program.steps[i].value = 1;
      program.steps.insert(program.steps.begin() + 1, {.what = Step::What::barrier});
      CHECK(text(observed_in_order(program).notes) == " out 3/4");
      program.steps.erase(program.steps.begin() + 2);
      CHECK(text(observed_in_order(program).notes) == " out 3/4");
    }
}

TEST_CASE(
    "if an earlier block published two values from one line, a store of the last is not a note") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0},
                             {0, store, 4, 0, 8},
                             {1, store, 4, 0, 8},
                             {Act::next_block, load, 4, 0, 0},
                             {0, store, 4, 0, 8}});
  program.sites[2].first.is_volatile = true;
  program.steps[2].site = 2;
  program.steps[2].value = program.steps[4].value = 1;
  program.steps.insert(program.steps.begin() + 2, {.what = Step::What::warp_sync, .lanes = 0b11});
  program.steps.insert(program.steps.begin() + 1,
                       {.what = Step::What::fence, .lanes = 0b01, .scope = Scope::block});
  CHECK(text(observed_in_order(program).told) == " out 2/4");
  CHECK(text(observed_in_order(program).notes) == " nothing");
  program.steps[2].value = 1;
  CHECK(text(observed_in_order(program).notes) == " out 2/4");
}

TEST_CASE("a same-value race is not a note if its earlier writer also represents a reader") {
  using enum AccessKind;
  Program program = by_hand({{1, load, 4, 0, 0},
                             {0, store, 4, 0, 0},
                             {2, store, 4, 0, 0},
                             {Act::next_block, load, 4, 0, 0},
                             {0, store, 4, 0, 0}});
  program.steps[2].site = 2;
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::barrier});
  CHECK(text(observed_in_order(program).notes) == " out 2/2");
  program.steps[0].lanes = 0;
  CHECK(text(observed_in_order(program).notes) == " out 2/2 out 2/4");
}

TEST_CASE_FIXTURE(Places, "each racing access of a lane adds to the count of its race") {
  act(1, 0, 0);
  for (const std::uint32_t lane : {1u, 2u, 3u}) act(3, lane, 0);
  CHECK(told() == "data_race 3/1 x3");
}

TEST_CASE_FIXTURE(Places, "an access that races with several lanes of another line counts once") {
  for (const std::uint32_t lane : {1u, 2u, 3u}) act(3, lane, 0);
  act(1, 0, 0);
  launch.end_block();
  CHECK(told() == "data_race 1/3 x1");
}

TEST_CASE_FIXTURE(Places,
                  "blocks that released nothing do not use more memory from block to block") {
  std::size_t before = 0;
  for (std::uint32_t block = 0; block < 64; ++block) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) act(3, lane, 0);
    next_block();
    if (block == 1) before = memory_in_use();
  }
  CHECK(memory_in_use() < before + (1 << 14));
}

TEST_CASE("the latest 64 released accesses of each kind from earlier blocks are remembered") {
  using enum AccessKind;
  Program program = by_hand({{0, load, 4, 0, 0},
                             {1, load, 4, 0, 0},
                             {32, load, 4, 0, 0},
                             {64, load, 4, 0, 0},
                             {0, atomic, 4, 0, 8},
                             {32, atomic, 4, 0, 8},
                             {64, atomic, 4, 0, 8},
                             {Act::next_block, load, 4, 0, 0},
                             {0, store, 4, 0, 0}});
  program.steps[1].lanes = ~1u;
  for (const std::size_t i : {2u, 4u, 5u}) program.steps[i].lanes = ~0u;
  program.steps[2].site = program.steps[3].site = 2;
  for (const std::uint32_t warp : {0u, 1u, 2u})
    program.steps.insert(program.steps.begin() + 4,
                         {.what = Step::What::fence, .warp = warp, .lanes = warp == 2 ? 1 : ~0u});
  CHECK(text(observed_in_order(program).told) == " out 2/8");
  program.steps[3].lanes = 0;
  CHECK(text(observed_in_order(program).told) == " out 1/8 out 2/8");
}

TEST_CASE("the 64 remembered accesses are the latest of all earlier blocks together") {
  using enum AccessKind;
  const Act next_block{Act::next_block, load, 4, 0, 0}, end_of_first_warp{0, atomic, 4, 0, 8},
      end_of_second_warp{32, atomic, 4, 0, 8};
  Program program = by_hand({{0, load, 4, 0, 0},
                             {1, load, 4, 0, 0},
                             {32, load, 4, 0, 0},
                             end_of_first_warp,
                             end_of_second_warp,
                             next_block,
                             {0, load, 4, 0, 0},
                             {33, load, 4, 0, 0},
                             end_of_first_warp,
                             end_of_second_warp,
                             next_block,
                             {0, store, 4, 0, 0}});
  program.steps[2].site = 2;
  program.steps[7].site = 6;
  program.steps[1].lanes = program.steps[7].lanes = ~1u;
  for (const std::size_t i : {2u, 3u, 4u, 6u, 8u, 9u}) program.steps[i].lanes = ~0u;
  for (const std::size_t i : {8u, 3u})
    for (const std::uint32_t warp : {0u, 1u})
      program.steps.insert(program.steps.begin() + static_cast<std::ptrdiff_t>(i),
                           {.what = Step::What::fence, .warp = warp, .lanes = ~0u});
  CHECK(text(observed_in_order(program).told) == " out 2/10 out 6/10");
}

}  // namespace histolab::kernels::emulator
