// Tests of the spelling of schedules and endings on the command line and in reports.
#include "kernels/device.h"
#include "reference/fields.h"

#include <doctest/doctest.h>

#include <string>

namespace histolab::kernels {
namespace {

TEST_CASE("schedules by name, there and back") {
  struct Row {
    Schedule schedule;
    std::string word;
  };
  for (const Row& row :
       {Row{Schedule::lockstep, "lockstep"}, Row{Schedule::run_to_barrier, "run_to_barrier"},
        Row{Schedule::random, "random"}, Row{Schedule::adversarial, "adversarial"}}) {
    CHECK(name(row.schedule) == row.word);
    CHECK(value_named<Schedule>(row.word) == row.schedule);
  }
  for (const std::string word : {"", "Lockstep", "lockstep ", "run-to-barrier"}) {
    CAPTURE(word);
    CHECK_FALSE(value_named<Schedule>(word).has_value());
  }
}

TEST_CASE("block orders by name, there and back") {
  for (const BlockOrder order : all_block_orders)
    CHECK(value_named<BlockOrder>(name(order)) == order);
  CHECK(name(BlockOrder::ascending) == "ascending");
  CHECK(name(BlockOrder::descending) == "descending");
  CHECK(name(BlockOrder::random) == "random");
  CHECK(name(BlockOrder::interleaved) == "interleaved");
  CHECK_FALSE(value_named<BlockOrder>("").has_value());
}

TEST_CASE("endings by name") {
  CHECK(name(Ending::completed) == "completed");
  CHECK(name(Ending::stopped) == "stopped");
  CHECK(name(Ending::timed_out) == "timed_out");
  CHECK(name(Ending::crashed) == "crashed");
}

}  // namespace
}  // namespace histolab::kernels
