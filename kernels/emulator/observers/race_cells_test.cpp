// Compares operations on a run of cells with the same operations on single cells.
#include "kernels/emulator/observers/race_cells.h"

#include <doctest/doctest.h>

#include <array>

#include "kernels/emulator/testing/random.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t block_epoch = 7, epoch = 8, cells_of_region = 40;

RaceCells some_cells(testing::Random& random) {
  RaceCells cells;
  cells.of[write].party.resize(cells_of_region);
  cells.of[write].latest.resize(cells_of_region);
  const auto some_kinds = [&] {
    return static_cast<std::uint8_t>(random.bits() & random.bits() & 0b11111);
  };
  for (std::uint32_t i = 0; i < cells_of_region; ++i)
    cells.state.push_back(
        {5 + random.below(4), some_kinds(), some_kinds(), some_kinds(), !random.one_in(8)});
  return cells;
}

CellRun some_run(testing::Random& random) {
  const std::uint32_t lanes = 1 + (random.one_in(2) ? random.below(4) : random.below(32));
  return {.first = random.below(cells_of_region - lanes + 1),
          .lanes = lanes,
          .epoch = epoch,
          .block_epoch = block_epoch,
          .who = {3, 64}};
}

}  // namespace

TEST_CASE("a cell last accessed in its block's first epoch was not left by another block") {
  RaceCells cells;
  cells.state = {{.epoch = 7, .now = 1u << write, .written = true}};
  const RunSeen own = look_at(cells, {.lanes = 1, .epoch = 8, .block_epoch = 7, .who = {}}),
                next = look_at(cells, {.lanes = 1, .epoch = 8, .block_epoch = 8, .who = {}});
  CHECK((own.written && !own.left_by_another && own.earlier == 0));
  CHECK((!next.written && next.left_by_another && next.earlier == 1u << write));
}

TEST_CASE(
    "look_at combines a row's cells: accesses of this epoch, and of earlier blocks in any epoch") {
  testing::Random random(1);
  for (int round = 0; round < 1'000; ++round) {
    const RaceCells cells = some_cells(random);
    const CellRun run = some_run(random);
    std::uint32_t now = 0, earlier = 0, left = 0;
    bool written = true;
    for (std::uint32_t i = run.first; i < run.first + run.lanes; ++i) {
      const CellState& state = cells.state[i];
      if (state.epoch == epoch) now |= state.now;
      if (state.epoch < block_epoch) left |= state.now | state.before;
      earlier |= state.earlier;
      written = written && state.written && state.epoch >= block_epoch;
    }
    const RunSeen seen = look_at(cells, run);
    REQUIRE(seen.now == now);
    REQUIRE(seen.earlier == (earlier | left));
    REQUIRE(seen.left_by_another == (left != 0));
    REQUIRE(seen.written == written);
  }
}

TEST_CASE(
    "note records a row in each of its cells, under the cell's thread, and in no other cell") {
  testing::Random random(2);
  for (int round = 0; round < 1'000; ++round) {
    RaceCells cells = some_cells(random);
    for (CellState& state : cells.state)
      // As after enter_epoch.
      if (state.epoch < block_epoch) state = {.epoch = state.epoch, .earlier = state.earlier};
    const CellRun run = some_run(random);
    const RaceCells before = cells;
    note(cells, run, write);
    note_latest(cells, run, write, 5);
    CHECK(cells.news == before.news + 1);
    for (std::uint32_t i = 0; i < cells_of_region; ++i) {
      const CellState &was = before.state[i], &is = cells.state[i];
      const bool inside = i >= run.first && i < run.first + run.lanes,
                 same_epoch = was.epoch == epoch;
      const Party& party = cells.of[write].party[i];
      const Place& latest = cells.of[write].latest[i];
      const std::uint32_t thread = inside ? 64 + i - run.first : Witness::nobody;
      REQUIRE(is.epoch == (inside ? epoch : was.epoch));
      REQUIRE(is.now == (!inside ? was.now : same_epoch ? was.now | 1u << write : 1u << write));
      REQUIRE(is.before == (!inside || same_epoch ? was.before : was.before | was.now));
      REQUIRE(is.earlier == was.earlier);
      REQUIRE(is.written == (inside || was.written));
      REQUIRE((party.first.thread == thread && party.first.site == (inside ? 3 : 0) &&
               !party.complete()));
      REQUIRE((latest.who.thread == thread && latest.who.site == (inside ? 3 : 0) &&
               latest.block == (inside ? 5 : 0)));
    }
  }
}

TEST_CASE("a read leaves the written flag of a cell unchanged") {
  for (const bool written : {false, true}) {
    RaceCells cells;
    cells.state = {{.epoch = block_epoch, .written = written}};
    cells.of[plain_read].party.resize(1);
    note(cells, {.lanes = 1, .epoch = epoch, .block_epoch = block_epoch, .who = {}}, plain_read);
    CHECK(cells.state[0].written == written);
  }
}

TEST_CASE("only_by_themselves holds unless another thread made the same access in this epoch") {
  constexpr CellRun run{
      .first = 1, .lanes = 3, .epoch = epoch, .block_epoch = block_epoch, .who = {3, 64}};
  RaceCells cells;
  cells.state.resize(5, {.epoch = epoch, .now = 1u << write});
  for (const std::uint16_t other : std::array<std::uint16_t, 5>{9, 64, 65, 66, 9})
    cells.of[write].party.push_back({{7, other}, {}});
  CHECK(only_by_themselves(cells, run, write));
  CellState& state = cells.state[3];
  Party& party = cells.of[write].party[3];
  for (const Party& with_another :
       {Party{{7, 67}, {}}, Party{{7, 66}, {7, 2}}, Party{{7, 2}, {7, 66}}}) {
    party = with_another;
    CHECK_FALSE(only_by_themselves(cells, run, write));
    state.epoch = block_epoch;
    CHECK(only_by_themselves(cells, run, write));
    state.epoch = epoch;
    state.now = 1u << plain_read;
    CHECK(only_by_themselves(cells, run, write));
    state.now = 1u << write;
  }
}

}  // namespace histolab::kernels::emulator
