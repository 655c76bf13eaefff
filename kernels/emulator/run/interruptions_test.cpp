#include "kernels/emulator/run/interruptions.h"

#include <doctest/doctest.h>

#include <set>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::size_t warps = 2;

struct Interleaved {
  explicit Interleaved(std::uint64_t seed = 1) : adversary(warps, seed) {
    adversary.begin_interval();
  }
  void add(std::uint32_t number) {
    Interruptions::Block block;
    block.number = number;
    interruptions.add(std::move(block));
  }
  // Returns the number of interruptions before so many accesses.
  std::uint32_t interrupted(const NextAccess& access, std::uint32_t accesses) {
    std::uint32_t times = 0;
    for (std::uint32_t i = 0; i < accesses; ++i) {
      interruptions.begin_block();
      times += interruptions.happens_before(0, access);
    }
    return times;
  }

  testing::LaunchFixture launch{{64, 1, 1}, {8, 1, 1}};
  const Region& out =
      launch.add({.role = Region::Role::output, .name = "out", .size = 4096, .element_bytes = 4});
  const Region& in =
      launch.add({.role = Region::Role::input, .name = "in", .size = 4096, .element_bytes = 4});
  Adversary adversary;
  Interruptions interruptions{launch.context, adversary};
};

TEST_CASE("a new block begins if no other waits, and none if many wait or none is left") {
  Interleaved few;
  for (int i = 0; i < 20; ++i) CHECK(few.interruptions.begins_block(1));
  few.add(0);
  for (int i = 0; i < 20; ++i) CHECK_FALSE(few.interruptions.begins_block(0));
  int begun = 0;
  for (int i = 0; i < 100; ++i) begun += few.interruptions.begins_block(8);
  CHECK(begun > 20);
  CHECK(begun < 80);
  for (std::uint32_t number = 1; number <= Interruptions::most_blocks; ++number) few.add(number);
  for (int i = 0; i < 20; ++i) CHECK_FALSE(few.interruptions.begins_block(8));
}

TEST_CASE("the oldest block continues if many wait, or if all blocks only wait") {
  Interleaved blocks;
  for (std::uint32_t number = 0; number <= Interruptions::most_blocks; ++number) blocks.add(number);
  CHECK(blocks.interruptions.take(false).number == 0);
  CHECK(blocks.interruptions.take(true).number == 1);
  std::set<std::uint32_t> taken;
  for (int i = 0; i < 40; ++i) {
    const std::uint32_t number = blocks.interruptions.take(false).number;
    taken.insert(number);
    blocks.add(number);
  }
  CHECK(taken.size() > 1);
  CHECK(blocks.interruptions.has_blocks());
}

TEST_CASE("a block is interrupted before accesses to global memory, sooner before writes") {
  Interleaved blocks;
  blocks.add(1);
  const std::uint64_t address = blocks.out.address();
  const std::uint32_t before_reads = blocks.interrupted({address, true, false}, 2000);
  const std::uint32_t before_writes = blocks.interrupted({address, false, true}, 2000);
  CHECK(before_reads > 5);
  CHECK(before_writes > 2 * before_reads);
  CHECK(blocks.interrupted({blocks.in.address(), true, false}, 2000) == 0);
  CHECK(blocks.interrupted({0, true, true}, 2000) == 0);
}

TEST_CASE("a block is interrupted a few times, and never if no other block can run") {
  Interleaved blocks;
  const NextAccess update{blocks.out.address(), true, true};
  CHECK(blocks.interrupted(update, 2000) == 0);  // all have begun, and none waits
  blocks.add(1);
  blocks.interruptions.begin_block();
  std::uint32_t times = 0;
  for (int i = 0; i < 5000; ++i) times += blocks.interruptions.happens_before(0, update);
  CHECK(times == Interruptions::most_of_block);
  // The count is the block's own.
  blocks.add(2);
  CHECK(blocks.interruptions.was_interrupted());
  blocks.interruptions.begin_block();
  CHECK(blocks.interrupted(update, 2000) > 0);
  while (blocks.interruptions.take(false).number != 2) {
  }
  for (int i = 0; i < 2000; ++i) CHECK_FALSE(blocks.interruptions.happens_before(0, update));
}

TEST_CASE("blocks that need much memory are not interrupted by chance") {
  Interleaved blocks;
  Interruptions::Block large;
  large.shared.resize(Interruptions::most_bytes + 1);
  blocks.interruptions.add(std::move(large));
  CHECK(blocks.interrupted({blocks.out.address(), true, true}, 2000) == 0);
  static_cast<void>(blocks.interruptions.take(true));
  blocks.add(1);
  CHECK(blocks.interrupted({blocks.out.address(), true, true}, 2000) > 0);
}

TEST_CASE("a turn is over after a number of rows, if another block waits") {
  Interleaved blocks;
  Patience patience(1 << 20, warps);
  patience.begin_block();
  patience.count_rows(Interruptions::rows_of_turn * warps);
  blocks.add(1);
  CHECK_FALSE(blocks.interruptions.turn_is_over(patience, warps));
  patience.count_rows(1);
  CHECK(blocks.interruptions.turn_is_over(patience, warps));
  patience.count_rows(1 << 20);
  CHECK(patience.is_over());  // it seems to be stuck: it keeps running
  CHECK_FALSE(blocks.interruptions.turn_is_over(patience, warps));
  patience.restart();
  patience.count_rows(Interruptions::rows_of_turn * warps + 1);
  static_cast<void>(blocks.interruptions.take(true));
  CHECK_FALSE(blocks.interruptions.turn_is_over(patience, warps));
}

}  // namespace
}  // namespace histolab::kernels::emulator
