#include "kernels/emulator/run/grid_barrier.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr SiteNumber here = 8, elsewhere = 9;

testing::LaunchFixture& with_sites(testing::LaunchFixture& launch) {
  launch.site(here, AccessKind::load, 0, 20);
  launch.site(elsewhere, AccessKind::load, 0, 30);
  return launch;
}

GridBarrier::Block block(std::uint32_t number, SiteNumber site = here) {
  GridBarrier::Block made;
  made.number = number;
  made.first = {{{number, 0, 0}, {0, 0, 0}}, site};
  return made;
}

TEST_CASE("blocks continue in the order in which they came") {
  testing::LaunchFixture launch({32, 1, 1}, {3, 1, 1});
  GridBarrier barrier;
  CHECK_FALSE(barrier.has_blocks());
  with_sites(launch);
  for (const std::uint32_t number : {2u, 0u, 1u})
    CHECK_FALSE(barrier.add(launch.context, block(number)));
  CHECK(barrier.arrivals() == 1);
  CHECK_FALSE(barrier.divergence(launch.context));
  const auto blocks = barrier.open();
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].number == 2);
  CHECK(blocks[1].number == 0);
  CHECK(blocks[2].number == 1);
  CHECK_FALSE(barrier.has_blocks());
  CHECK(barrier.arrivals() == 2);
}

TEST_CASE("a block diverges that waits elsewhere, or else one that has ended") {
  testing::LaunchFixture launch({32, 1, 1}, {4, 1, 1});
  GridBarrier barrier;
  with_sites(launch);
  REQUIRE_FALSE(barrier.add(launch.context, block(0)));
  barrier.end_block(3);
  barrier.end_block(1);
  const auto ended = barrier.divergence(launch.context);
  REQUIRE(ended);
  CHECK(ended->line == 20);
  CHECK(ended->other_line == 0);
  CHECK(ended->other_thread->block.x == 3);
  REQUIRE_FALSE(barrier.add(launch.context, block(2, elsewhere)));
  const auto apart = barrier.divergence(launch.context);
  REQUIRE(apart);
  CHECK(apart->thread->block.x == 0);
  CHECK(apart->other_thread->block.x == 2);
  CHECK(apart->other_line == 30);
}

TEST_CASE("blocks that need too much memory end the launch") {
  testing::LaunchFixture launch({32, 1, 1}, {4, 1, 1});
  GridBarrier barrier;
  with_sites(launch);
  const auto large = [](std::uint32_t number) {
    GridBarrier::Block made = block(number);
    made.shared.resize(GridBarrier::most_bytes / 2 - 4096);
    return made;
  };
  CHECK_FALSE(barrier.add(launch.context, large(0)));
  CHECK_FALSE(barrier.add(launch.context, large(1)));
  GridBarrier::Block small = block(2);
  small.shared.resize(8192);
  const auto finding = barrier.add(launch.context, std::move(small));
  REQUIRE(finding);
  CHECK(finding->kind == FindingKind::unsupported);
  CHECK(finding->line == 20);
  CHECK(finding->message.find("the first 3 blocks hold 512 MiB") != std::string::npos);
}

TEST_CASE("the memory of a block is free when it continues") {
  testing::LaunchFixture launch({32, 1, 1}, {4, 1, 1});
  GridBarrier barrier;
  with_sites(launch);
  const auto large = [](std::uint32_t number) {
    GridBarrier::Block made = block(number);
    made.shared.resize(GridBarrier::most_bytes / 2 - 4096);
    return made;
  };
  CHECK_FALSE(barrier.add(launch.context, large(0)));
  CHECK_FALSE(barrier.add(launch.context, large(1)));
  for (const GridBarrier::Block& each : barrier.open()) {
    barrier.continue_block(each);
    CHECK_FALSE(barrier.add(launch.context, large(each.number)));
  }
  CHECK(barrier.add(launch.context, large(2)));
}

TEST_CASE("a block waits from its first arrival until another block runs") {
  GridBarrier barrier;
  CHECK_FALSE(barrier.block_waits());
  barrier.arrive();
  CHECK(barrier.block_waits());
  barrier.enter_block();
  CHECK_FALSE(barrier.block_waits());
}

TEST_CASE("a grid barrier counts as more steps in a larger grid") {
  LaunchConfig config;
  config.grid = {1, 1, 1};
  config.block = {32, 1, 1};
  CHECK(GridBarrier::steps(config) == 1);
  config.grid = {256, 1, 1};
  CHECK(GridBarrier::steps(config) == 65);
}

}  // namespace
}  // namespace histolab::kernels::emulator
