// Tests the knowledge of a thread from block to block.
#include "kernels/emulator/observers/knowledge.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "kernels/emulator/observers/testing/race_watch.h"

namespace histolab::kernels::emulator {

TEST_CASE("empty knowledge stays empty in the next block, and other knowledge is kept") {
  Knowledge knowledge(3);
  CHECK(knowledge.empty());
  knowledge.enter_block(4);
  CHECK(knowledge.empty());
  CHECK(knowledge.block() == 4);
  knowledge.add(1, 1, 32);
  CHECK_FALSE(knowledge.empty());
  knowledge.enter_block(5);
  CHECK_FALSE(knowledge.empty());
}

TEST_CASE("join merges the knowledge of two threads, for every block") {
  // Returns the knowledge of one thread of each of these blocks, up to time 1.
  const auto knowing = [](std::initializer_list<std::uint32_t> blocks, std::uint16_t thread = 1) {
    Knowledge knowledge;
    for (const std::uint32_t block : blocks) {
      knowledge.enter_block(block);
      knowledge.add(thread, 1, 32);
    }
    knowledge.enter_block(9);
    return knowledge;
  };
  const auto known = [](const Knowledge& knowledge, std::uint16_t thread = 1) {
    std::set<std::uint32_t> blocks;
    for (std::uint32_t block = 0; block < 9; ++block)
      if (knowledge.knows({block, 0, 0, thread})) blocks.insert(block);
    return blocks;
  };
  const auto joined = [&](Knowledge one, const Knowledge& other) {
    one.join(other);
    return known(one);
  };
  CHECK(joined(knowing({0, 4}), knowing({1})) == std::set<std::uint32_t>{0, 1, 4});
  CHECK(joined(knowing({1}), knowing({0, 4})) == std::set<std::uint32_t>{0, 1, 4});
  CHECK(joined(knowing({1}), knowing({})) == std::set<std::uint32_t>{1});
  CHECK(joined(knowing({}), knowing({1})) == std::set<std::uint32_t>{1});
  CHECK(joined(knowing({1, 2}), knowing({2, 3})) == std::set<std::uint32_t>{1, 2, 3});
  Knowledge of_two_threads = knowing({1, 2, 4}, 1);
  of_two_threads.join(knowing({2, 3, 4}, 5));
  CHECK(known(of_two_threads, 1) == std::set<std::uint32_t>{1, 2, 4});
  CHECK(known(of_two_threads, 5) == std::set<std::uint32_t>{2, 3, 4});
}

TEST_CASE("join merges whole epochs and single threads of an earlier block") {
  Knowledge epochs(1), threads(1);
  epochs.add_epochs_before(5);
  threads.add(7, 3, 32);
  for (Knowledge* knowledge : {&epochs, &threads}) knowledge->enter_block(2);
  for (const auto& [one, other] : {std::pair(epochs, threads), std::pair(threads, epochs)}) {
    Knowledge both = one;
    both.join(other);
    CHECK((both.knows({1, 4, 9, 8}) && both.knows({1, 6, 2, 7})));
    CHECK_FALSE((both.knows({1, 5, 0, 8}) || both.knows({1, 6, 3, 7})));
  }
}

TEST_CASE(
    "blocks with equal knowledge take little memory, in any order, even if one knows whole "
    "epochs") {
  constexpr std::uint32_t blocks = 1 << 12, threads = 1 << 10, other = blocks / 2;
  bool descending = false;
  SUBCASE("ascending") {}
  SUBCASE("descending") { descending = true; }
  const auto block_at = [&](std::uint32_t position) {
    return descending ? blocks - position : position;
  };
  const std::size_t before = testing::memory_in_use();
  Knowledge knowledge(block_at(0));
  for (std::uint32_t position = 0; position < blocks; ++position) {
    knowledge.add(7, 3, threads);
    if (block_at(position) == other) knowledge.add_epochs_before(1);
    knowledge.enter_block(block_at(position + 1));
  }
  CHECK(testing::memory_in_use() < before + (1 << 20));
  CHECK((knowledge.knows({other - 1, 0, 2, 7}) && knowledge.knows({other, 0, 9, 7}) &&
         knowledge.knows({other + 1, 0, 2, 7})));
  CHECK_FALSE((knowledge.knows({other - 1, 0, 3, 7}) || knowledge.knows({other, 1, 0, 7}) ||
               knowledge.knows({other + 1, 0, 2, 6})));
}

}  // namespace histolab::kernels::emulator
