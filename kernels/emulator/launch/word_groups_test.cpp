// Tests word groups against a model: a map from each word to the lanes that access it.
#include "kernels/emulator/launch/word_groups.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "kernels/emulator/testing/random.h"

namespace histolab::kernels::emulator {
namespace {

using Offsets = std::array<std::uint32_t, 32>;

std::map<std::uint32_t, std::uint32_t> lanes_by_word(const Offsets& offset, std::uint32_t active) {
  std::map<std::uint32_t, std::uint32_t> lanes;
  for (std::uint32_t l = 0; l < 32; ++l)
    if (active >> l & 1) lanes[offset[l] / 4] |= 1u << l;
  return lanes;
}

// Groups the lanes. Compares the groups, in any order, and `words` with the model.
void check_groups(const Offsets& offset, std::uint32_t active) {
  const auto model = lanes_by_word(offset, active);
  std::uint32_t lowest = ~0u, highest = 0;
  for (std::uint32_t l = 0; l < 32; ++l)
    if (active >> l & 1) {
      lowest = std::min(lowest, offset[l]);
      highest = std::max(highest, offset[l]);
    }
  const WordGroups groups = group_by_word(offset, active, lowest, highest);

  CAPTURE(active);
  CAPTURE(lowest);
  CAPTURE(highest);
  REQUIRE(groups.count == model.size());
  std::vector<std::uint32_t> got(groups.lanes.begin(), groups.lanes.begin() + groups.count),
      expected;
  std::uint64_t words = 0;
  for (const auto& [word, lanes] : model) {
    expected.push_back(lanes);
    if (word < 64) words |= std::uint64_t{1} << word;
  }
  std::ranges::sort(got);
  std::ranges::sort(expected);
  REQUIRE(got == expected);
  const std::uint32_t first = lowest / 4, last = highest / 4;
  if (last >= 64)
    REQUIRE(groups.words == 0);
  else if (last - first < 16)
    REQUIRE(groups.words == words);
  else
    REQUIRE((groups.words == 0 || groups.words == words));
}

struct Shape {
  std::uint32_t first, words;  // range of the words that lanes may access
};

TEST_CASE("lanes are grouped by word, for every position and number of words") {
  constexpr std::uint32_t top = ~0u / 4;  // the last word
  testing::Random random(1);
  for (const Shape shape : {
           Shape{0, 1},
           Shape{0, 2},
           Shape{0, 7},
           Shape{0, 16},
           Shape{0, 17},
           Shape{0, 64},
           Shape{0, 255},
           Shape{0, 256},
           Shape{0, 257},
           Shape{48, 16},
           Shape{49, 16},
           Shape{63, 1},
           Shape{63, 2},
           Shape{64, 3},
           Shape{1000, 5},
           Shape{1000, 200},
           Shape{1000, 256},
           Shape{1000, 300},
           Shape{0, 1'000'000},
           Shape{0, top},
           Shape{top - 6, 7},
           Shape{top - 15, 16},
           Shape{top - 255, 256},
           Shape{top - 299, 300},
           Shape{0x20000000, 16},
           Shape{0x1fffffff - 8, 16},
           Shape{0x1fffffff - 100, 200},
       }) {
    CAPTURE(shape.first);
    CAPTURE(shape.words);
    for (int round = 0; round < 300; ++round) {
      Offsets offset;
      const std::uint32_t step = 1 + random.below(4);  // 4 means aligned
      for (auto& o : offset)
        o = (shape.first + random.below(shape.words)) * 4 + random.below(4) / step * step;
      for (int mask = 0; mask < 7; ++mask) check_groups(offset, random.lanes());
    }
  }
}

TEST_CASE("the first and last word of a span are in different groups, for every span length") {
  for (std::uint32_t words = 2; words < 600; ++words)
    for (const std::uint32_t first : {0u, 40u, 1000u, ~0u / 4 - words + 1}) {
      Offsets offset;
      for (std::uint32_t l = 0; l < 32; ++l)
        offset[l] = (first + (l % 3 == 0 ? words - 1 : l % 3 == 1 ? 0 : words / 2)) * 4;
      check_groups(offset, ~0u);
    }
}

TEST_CASE("inactive lanes do not count, whatever their offsets") {
  for (const std::uint32_t elsewhere :
       {0u, 396u, 400u, 404u, 65536u, 0x7fffffffu, 0x80000000u, ~0u}) {
    Offsets offset;
    for (std::uint32_t l = 0; l < 32; ++l) offset[l] = l < 8 ? 400 + 4 * (l % 3) : elsewhere;
    check_groups(offset, 0xff);
  }
}

TEST_CASE("all lanes in one word are one group, every lane in its own word are 32") {
  Offsets offset;
  offset.fill(4096 + 3);
  check_groups(offset, ~0u);
  for (const std::uint32_t stride : {4u, 8u, 32u, 36u, 1024u, 1u << 26}) {
    for (std::uint32_t l = 0; l < 32; ++l) offset[l] = l * stride;
    check_groups(offset, ~0u);
    std::ranges::reverse(offset);
    check_groups(offset, ~0u);
  }
}

}  // namespace
}  // namespace histolab::kernels::emulator
