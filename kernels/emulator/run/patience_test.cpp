#include "kernels/emulator/run/patience.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t budget = 1600, rows_per_turn = budget / 16;

// Counts this many rows, one at a time.
void count(Patience& patience, std::uint64_t rows) {
  for (std::uint64_t row = 0; row < rows; ++row) patience.count_rows(1);
}

TEST_CASE("a turn ends after a sixteenth of the budget, and passes without rows count, too") {
  Patience patience(budget, 4);
  patience.begin_block();
  patience.begin_turn();
  patience.count_rows(rows_per_turn - 2);
  CHECK(patience.turn_lasts());
  patience.count_rows(0);
  CHECK_FALSE(patience.turn_lasts());
  patience.begin_turn();
  CHECK(patience.turn_lasts());
}

TEST_CASE("a turn has 64 rows at least, and 65 536 at most") {
  for (const auto& [steps, rows] :
       {std::pair{std::uint64_t{0}, 64u}, {std::uint64_t{1} << 40, 64u * 1024}}) {
    Patience patience(steps, 1024);
    patience.begin_turn();
    patience.count_rows(rows - 2);
    CHECK(patience.turn_lasts());
    patience.count_rows(0);
    CHECK_FALSE(patience.turn_lasts());
  }
}

TEST_CASE("when each warp has had a turn, the block seems to be stuck, and turns do not end") {
  Patience patience(budget, 2);
  patience.begin_block();
  count(patience, 2 * rows_per_turn);
  CHECK_FALSE(patience.is_over());
  CHECK_FALSE(patience.turn_lasts());
  count(patience, 1);
  CHECK(patience.is_over());
  CHECK(patience.turn_lasts());
  patience.restart();
  CHECK_FALSE(patience.is_over());
}

TEST_CASE("a smaller budget gives shorter turns") {
  Patience patience(budget, 1);
  patience.begin_block();
  count(patience, 70);
  CHECK_FALSE(patience.is_over());
  patience.set_budget(1024);
  CHECK(patience.is_over());
}

TEST_CASE("a lane that waits in __activemask() has waited long after as many rows as all turns") {
  Patience patience(budget, 2);
  patience.begin_block();
  count(patience, 50);
  CHECK_FALSE(patience.has_waited_long(1));
  count(patience, 2 * rows_per_turn);
  CHECK_FALSE(patience.has_waited_long(0));  // begins only now
  CHECK_FALSE(patience.has_waited_long(1));
  count(patience, 1);
  CHECK(patience.has_waited_long(1));
  patience.stop_waiting(1);
  CHECK_FALSE(patience.has_waited_long(1));
}

TEST_CASE(
    "rows in which a block only waited for another one do not count, unless all blocks wait") {
  Patience patience(budget, 1);
  patience.begin_block();
  count(patience, rows_per_turn);
  patience.end_turn_of_block(true);
  CHECK(patience.all_wait());
  const Patience::Rows waiting = patience.rows();
  CHECK(waiting.waited == rows_per_turn);

  // Another block works. The first one has not come nearer to its end then.
  patience.resume_block({.in_block = 0, .waited = 0, .waits_since = {0}});
  count(patience, 10);
  patience.end_turn_of_block(false);
  CHECK_FALSE(patience.all_wait());
  patience.resume_block(waiting);
  CHECK(patience.rows_since_resumed() == 0);
  count(patience, rows_per_turn);
  CHECK(patience.rows_since_resumed() == rows_per_turn);
  CHECK_FALSE(patience.is_over());

  // It waits once more, and so does the other one.
  patience.end_turn_of_block(true);
  CHECK(patience.all_wait());
  patience.resume_block({.in_block = 10, .waited = 0, .waits_since = {0}});
  CHECK(patience.is_over());
  patience.note_progress();
  CHECK_FALSE(patience.is_over());
}

TEST_CASE("a block that ends is progress") {
  Patience patience(budget, 1);
  patience.begin_block();
  count(patience, 5);
  patience.end_turn_of_block(true);
  CHECK(patience.all_wait());
  patience.end_block();
  CHECK_FALSE(patience.all_wait());
}

}  // namespace
}  // namespace histolab::kernels::emulator
