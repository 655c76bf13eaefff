#include "kernels/emulator/run/stall_watch.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace histolab::kernels::emulator {
namespace {

constexpr int kernel_line = 10;
std::array<std::uint64_t, 8> log{};

StallWatch::Moment in_kernel(std::uint32_t lane = 3, std::size_t records = 0) {
  return {lane, true, log.data() + records};
}
StallWatch::Moment in_runtime(std::uint32_t lane = 3) { return {lane, false, nullptr}; }

// Ticks without progress, until the lane is single-stepped. Returns their number.
int ticks_until_stepping(StallWatch& watch, const StallWatch::Moment& now) {
  int ticks = 1;
  while (!watch.on_tick(now)) REQUIRE(++ticks < 100);
  return ticks;
}

// Steps through a loop of these lines. Returns whether stepping ended with a stall.
bool step(StallWatch& watch, const StallWatch::Moment& now, const std::vector<int>& lines) {
  for (int i = 0; i < 3 * StallWatch::steps_of_a_loop; ++i)
    if (!watch.on_step(now, lines[static_cast<std::size_t>(i) % lines.size()]))
      return watch.stall().has_value();
  return false;
}

TEST_CASE("a lane that makes progress is never single-stepped") {
  StallWatch by_access(kernel_line), by_event(kernel_line), by_turn(kernel_line);
  for (int tick = 0; tick < 50; ++tick) {
    CHECK_FALSE(by_access.on_tick(in_kernel(3, static_cast<std::size_t>(tick % 8))));
    by_event.count_progress();
    CHECK_FALSE(by_event.on_tick(in_runtime()));
    CHECK_FALSE(by_turn.on_tick(in_kernel(static_cast<std::uint32_t>(tick))));
  }
}

TEST_CASE(
    "a lane is single-stepped after some ticks without progress, and stays so at further ticks") {
  StallWatch watch(kernel_line);
  CHECK(ticks_until_stepping(watch, in_kernel()) == StallWatch::ticks_until_stepping + 1);
  CHECK(watch.on_tick(in_kernel()));
}

TEST_CASE("a stall names the lane and the first line of its loop") {
  struct Row {
    std::vector<int> lines;
    int first;
  };
  for (const auto& [lines, first] : {Row{{14, 13, 15}, 13}, Row{{0, 14, 0}, 14}, Row{{0}, 0},
                                     Row{{4, 13, 5}, 13},  // 4 and 5 are lines of a helper
                                     Row{{5, 4}, 4}}) {
    StallWatch watch(kernel_line);
    ticks_until_stepping(watch, in_kernel());
    REQUIRE(step(watch, in_kernel(), lines));
    CHECK(watch.stall()->lane == 3);
    CHECK(watch.stall()->line == first);
    watch.forget();
    CHECK_FALSE(watch.stall().has_value());
  }
}

TEST_CASE("progress while the lane is single-stepped ends that, and the next stall takes as long") {
  for (const bool by_access : {true, false}) {
    StallWatch watch(kernel_line);
    ticks_until_stepping(watch, in_kernel());
    REQUIRE(watch.on_step(in_kernel(), 12));
    if (!by_access) watch.count_progress();
    CHECK_FALSE(watch.on_step(in_kernel(3, by_access ? 1 : 0), 12));
    CHECK_FALSE(watch.stall().has_value());
    CHECK(ticks_until_stepping(watch, in_kernel(3, by_access ? 1 : 0)) >=
          StallWatch::ticks_until_stepping);
  }
}

TEST_CASE("a lane is not left in a function of the runtime, however long that takes") {
  StallWatch watch(kernel_line);
  ticks_until_stepping(watch, in_kernel());
  CHECK_FALSE(step(watch, in_runtime(), {12}));
  CHECK_FALSE(watch.stall().has_value());
  REQUIRE(watch.on_tick(in_kernel()));  // it starts again
  CHECK(step(watch, in_kernel(), {12}));
}

}  // namespace
}  // namespace histolab::kernels::emulator
