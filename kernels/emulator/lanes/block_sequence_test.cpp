// Tests sequences of blocks: each block comes once, the same seed gives the same sequence, and no
// position is favoured.
#include "kernels/emulator/lanes/block_sequence.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace histolab::kernels::emulator {
namespace {

std::vector<std::uint32_t> all_of(BlockOrder order, std::uint64_t seed, std::uint32_t blocks) {
  const BlockSequence sequence(order, seed, blocks);
  std::vector<std::uint32_t> all;
  for (std::uint32_t position = 0; position < blocks; ++position)
    all.push_back(sequence.at(position));
  return all;
}

}  // namespace

TEST_CASE("ascending and descending sequences do not depend on the seed") {
  CHECK(all_of(BlockOrder::ascending, 7, 4) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(all_of(BlockOrder::descending, 7, 4) == std::vector<std::uint32_t>{3, 2, 1, 0});
}

TEST_CASE("every sequence has each block once") {
  for (const BlockOrder order : all_block_orders)
    for (const std::uint32_t blocks : {0u, 1u, 2u, 3u, 7u, 64u, 1000u}) {
      std::vector<std::uint32_t> sequence = all_of(order, 3, blocks);
      std::ranges::sort(sequence);
      CHECK(sequence == all_of(BlockOrder::ascending, 0, blocks));
    }
}

TEST_CASE("a seed always gives the same random sequence, and another seed another one") {
  CHECK(all_of(BlockOrder::random, 5, 100) == all_of(BlockOrder::random, 5, 100));
  CHECK(all_of(BlockOrder::random, 5, 100) != all_of(BlockOrder::random, 6, 100));
}

// The limits are more than six standard deviations from the mean.
TEST_CASE("over many seeds, every block runs at every position about equally often") {
  constexpr std::uint32_t blocks = 4, seeds = 4000;
  std::uint32_t times[blocks][blocks]{};
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (std::uint32_t position = 0;
         const std::uint32_t block : all_of(BlockOrder::random, seed, blocks))
      ++times[position++][block];
  for (const auto& of_position : times)
    for (const std::uint32_t count : of_position) CHECK((count > 830 && count < 1170));
}

}  // namespace histolab::kernels::emulator
