#include "kernels/emulator/run/step_budget.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

WarpLog::Judged level(std::uint32_t rows) {
  WarpLog::Judged judged;
  judged.most = rows;
  return judged;
}

// Lane `lane` has this number of rows, all others one.
WarpLog::Judged apart(std::uint32_t lane, std::uint32_t rows) {
  WarpLog::Judged judged;
  judged.level = false;
  judged.most = rows;
  judged.rows.fill(1);
  judged.rows[lane] = rows;
  return judged;
}

TEST_CASE("a budget is used up by the step after the last one") {
  StepBudget budget(10, 2);
  budget.count_rows(1, level(4));
  budget.count_rows(1, apart(7, 6));
  CHECK(budget.is_left(1));
  CHECK(budget.furthest(1) == 7);
  budget.count_step(32 + 8);
  CHECK(budget.is_left(1));  // another lane's step
  budget.count_step(32 + 7);
  CHECK_FALSE(budget.is_left(1));
  CHECK(budget.is_left(0));
}

TEST_CASE("a barrier is a step of every warp") {
  StepBudget budget(10, 2);
  budget.count_step(3);
  budget.count_barrier(9);
  CHECK(budget.is_left(0));
  budget.count_barrier(1);
  CHECK_FALSE(budget.is_left(0));
  CHECK(budget.is_left(1));
  budget.count_barrier(1);
  CHECK_FALSE(budget.is_left(1));
}

TEST_CASE("the last eighth of a budget") {
  StepBudget budget(800, 1);
  budget.count_rows(0, level(700));
  CHECK_FALSE(budget.is_nearly_used_up(0));
  budget.count_step(0);
  CHECK(budget.is_nearly_used_up(0));
  budget.set_limit(1600);
  CHECK(budget.limit() == 1600);
  CHECK_FALSE(budget.is_nearly_used_up(0));
}

TEST_CASE("a warp that restarts has its full budget, and its sleepers are awake") {
  StepBudget budget(10, 2);
  budget.count_rows(0, level(11));
  budget.note_asleep(5);
  budget.note_asleep(31);
  budget.note_asleep(33);
  CHECK(budget.asleep(0) == (1u << 5 | 1u << 31));
  CHECK(budget.restart(0) == (1u << 5 | 1u << 31));
  CHECK(budget.is_left(0));
  CHECK(budget.asleep(0) == 0);
  CHECK(budget.asleep(1) == 2);
}

TEST_CASE("each block has its own steps") {
  StepBudget budget(10, 1);
  budget.count_rows(0, apart(3, 9));
  budget.count_barrier(1);
  budget.note_asleep(4);
  const StepBudget::Steps saved = budget.steps();
  budget.begin_block();
  CHECK(budget.furthest(0) == 0);
  CHECK(budget.asleep(0) == 0);
  budget.count_rows(0, level(10));
  CHECK(budget.is_left(0));
  budget.resume_block(saved);
  CHECK(budget.furthest(0) == 3);
  CHECK(budget.asleep(0) == 1u << 4);
  CHECK(budget.is_left(0));
  budget.count_step(3);
  CHECK_FALSE(budget.is_left(0));
}

}  // namespace
}  // namespace histolab::kernels::emulator
