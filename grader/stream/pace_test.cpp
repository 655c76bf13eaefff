#include "grader/stream/pace.h"

#include <doctest/doctest.h>

#include "kernels/live.h"

using histolab::grader::Pace;
constexpr std::uint64_t unlimited = histolab::kernels::Live::unlimited;

TEST_CASE("by default a launch runs at full speed") {
  Pace pace;
  CHECK(pace.allowed(0, 0) == unlimited);
  CHECK(pace.allowed(5, 1000) == unlimited);
  CHECK_FALSE(pace.held());
}

TEST_CASE("a launch is held, advances step by step, and continues") {
  Pace pace;
  pace.hold_at(10);
  CHECK(pace.held());
  CHECK(pace.allowed(0, 10) == 10);
  pace.step(3);
  pace.step(1);  // before the first three were made
  CHECK(pace.allowed(0, 11) == 14);
  CHECK(pace.held());
  pace.go(1, 14);
  CHECK(pace.allowed(1, 14) == unlimited);
}

TEST_CASE("steps before a launch apply to the next one, and a held pace holds the next launch") {
  Pace pace;
  pace.step(2);
  CHECK(pace.allowed(0, 0) == 2);
  pace.step(1);
  CHECK(pace.allowed(0, 2) == 3);
  pace.launch_ended();
  CHECK(pace.held());
  CHECK(pace.allowed(0, 0) == 0);
  pace.go(0, 0);
  pace.launch_ended();
  CHECK(pace.allowed(0, 0) == unlimited);
}

TEST_CASE("steps per second") {
  Pace pace;
  pace.go_at(100, 10, 50);
  CHECK(pace.allowed(10, 50) == 50);
  CHECK(pace.allowed(10.1, 50) == 60);
  CHECK(pace.allowed(10.2, 60) == 70);
  pace.hold_at(70);
  CHECK(pace.allowed(11, 70) == 70);
  pace.go(20, 70);  // as fast as before
  CHECK(pace.allowed(20.1, 70) == 80);
  pace.go_at(0, 21, 80);
  CHECK(pace.allowed(21, 80) == unlimited);
  pace.go_at(0.5, 30, 80);
  CHECK(pace.allowed(31, 80) == 80);
  CHECK(pace.allowed(32, 80) == 81);
}

TEST_CASE("a launch that falls behind does not catch up on everything at once") {
  Pace pace;
  pace.go_at(1000, 0, 0);
  CHECK(pace.allowed(10, 5) == 5 + 251);
  CHECK(pace.allowed(10, 256) == 256);  // the backlog is dropped
  CHECK(pace.allowed(10.01, 256) == 266);
}

TEST_CASE("no number is too large") {
  Pace pace;
  pace.hold_at(unlimited);
  CHECK(pace.allowed(0, 0) == unlimited - 1);
  pace.step(unlimited);
  CHECK(pace.allowed(0, 0) == unlimited - 1);
  pace.go_at(1e300, 0, unlimited);
  CHECK(pace.allowed(1e9, unlimited) <= unlimited - 1);
  CHECK(pace.allowed(-1e9, 0) <= unlimited - 1);
}
