// Tests of the watcher's side of Live: a page that two processes share. The watcher must not trust
// the other process.
#include "kernels/live.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace histolab::kernels {
namespace {

std::uint64_t set_bits(const std::vector<std::uint64_t>& words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
  return sum;
}

TEST_CASE("a new Live has no steps and no bytes read, and is not held back") {
  for (const std::uint64_t bytes : {0, 1, 63, 64, 65, 1000}) {
    CAPTURE(bytes);
    auto live = Live::for_input(bytes);
    REQUIRE(live.ok());
    CHECK(live->progress().steps == 0);
    CHECK(live->progress().blocks == 0);
    CHECK_FALSE(live->progress().looking_again);
    CHECK_FALSE(live->held_back());
    CHECK(live->page().allowed == Live::unlimited);
    CHECK(live->bytes_read().size() == (bytes + 63) / 64);
    CHECK(set_bits(live->bytes_read()) == 0);
  }
}

TEST_CASE("the launch sees the allowed steps, and the watcher sees its progress") {
  auto live = Live::for_input(100);
  REQUIRE(live.ok());
  auto launch = Live::of_descriptor(dup(live->buffer().fd()));
  REQUIRE(launch.ok());
  live->allow(7);
  CHECK(launch->page().allowed == 7);
  CHECK_FALSE(live->held_back());
  launch->page().steps = 7;
  launch->page().blocks = 2;
  CHECK(live->held_back());
  CHECK(live->progress().steps == 7);
  CHECK(live->progress().blocks == 2);
  live->allow(8);
  CHECK_FALSE(live->held_back());
  live->allow(3);
  CHECK(live->held_back());
  live->allow(Live::unlimited);
  CHECK_FALSE(live->held_back());
  launch->bits()[1] = 1;
  CHECK(live->bytes_read() == std::vector<std::uint64_t>{0, 1});
}

TEST_CASE(
    "a launch that overwrites its page cannot appear held back or read more bytes than exist") {
  auto live = Live::for_input(70);
  REQUIRE(live.ok());
  auto launch = Live::of_descriptor(dup(live->buffer().fd()));
  REQUIRE(launch.ok());
  launch->page().allowed = 0;
  launch->page().steps = Live::unlimited;
  CHECK_FALSE(live->held_back());
  std::fill_n(launch->bits(), 2, ~0ull);
  CHECK(set_bits(live->bytes_read()) == 70);
}

TEST_CASE("a descriptor that is invalid or too small for a page is an error") {
  CHECK_FALSE(Live::of_descriptor(-1).ok());
  auto small = Buffer::zeroed(8);
  REQUIRE(small.ok());
  CHECK_FALSE(Live::of_descriptor(dup(small->fd())).ok());
}

TEST_CASE("a moved Live refers to the same page") {
  auto live = Live::for_input(64);
  REQUIRE(live.ok());
  live->allow(5);
  Live moved = std::move(*live);
  moved.page().steps = 5;
  CHECK(moved.held_back());
  moved.allow(6);
  CHECK(moved.page().allowed == 6);
}

}  // namespace
}  // namespace histolab::kernels
