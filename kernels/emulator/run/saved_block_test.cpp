#include "kernels/emulator/run/saved_block.h"

#include <doctest/doctest.h>

#include <numeric>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

TEST_CASE("shared memory is copied away and back, and global memory is not") {
  Window window = testing::reserved_window();
  std::vector<std::uint8_t> first(5), global(7), second(300);
  window.add({.space = Space::shared, .name = "a", .begin = first.data(), .size = first.size()});
  window.add({.space = Space::global, .name = "g", .begin = global.data(), .size = global.size()});
  window.add({.space = Space::shared, .name = "b", .begin = second.data(), .size = second.size()});
  std::iota(first.begin(), first.end(), std::uint8_t{1});
  std::iota(second.begin(), second.end(), std::uint8_t{50});
  const auto first_before = first, second_before = second;
  const std::vector<std::uint8_t> saved = copy_shared_memory(window);
  CHECK(saved.size() == first.size() + second.size());
  first.assign(first.size(), 0);
  second.assign(second.size(), 0);
  global.assign(global.size(), 9);
  restore_shared_memory(window, saved);
  CHECK(first == first_before);
  CHECK(second == second_before);
  CHECK(global == std::vector<std::uint8_t>(7, 9));
}

TEST_CASE("a saved block counts its shared memory and its stacks") {
  SavedBlock block;
  const std::uint64_t empty = block.bytes();
  block.shared.resize(100);
  block.lanes.stacks.resize(1000);
  CHECK(block.bytes() == empty + 1100);
}

}  // namespace
}  // namespace histolab::kernels::emulator
