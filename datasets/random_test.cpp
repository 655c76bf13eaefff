#include "datasets/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace histolab::datasets {
namespace {

TEST_CASE("SplitMix64 gives its published sequence") {
  // The first outputs of the authors' implementation for the state 1234567.
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u, 16408922859458223821u})
    CHECK(random.next() == expected);
}

TEST_CASE("any place of a stream can be asked for") {
  Random random("values", 7);
  const Random whole = random;
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(whole.at(i) == random.next());
}

TEST_CASE("every dataset and seed has a stream of its own") {
  std::set<std::uint64_t> first;
  for (const char* dataset : {"", "a", "b", "ab", "ba", "english"})
    for (std::uint64_t seed = 0; seed < 100; ++seed) CHECK(first.insert(Random(dataset, seed).next()).second);
}

TEST_CASE("below covers its range evenly and stays in it") {
  CHECK(below(26, 0) == 0);
  CHECK(below(26, 0xffff'ffff) == 25);
  CHECK(below(1, 0xffff'ffff) == 0);
  CHECK(below(10, 0x7fff'ffff) == 4);
  CHECK(below(10, 0x8000'0000) == 5);
}

// Every outcome's exact share, found by asking for each column's both halves: 2^32 draws would take too long.
std::vector<double> shares(const Weighted<8>& weighted) {
  std::vector<double> share(256, 0.0);
  for (std::uint32_t column = 0; column < 256; ++column) {
    // The column itself is drawn for the low values of the other 24 bits: find where that ends.
    const std::uint32_t alias = weighted(column << 24 | 0xffffff);
    std::uint32_t from = 0, to = 0x1000000;
    if (alias != column)
      while (from < to) {
        const std::uint32_t middle = (from + to) / 2;
        (weighted(column << 24 | middle) == column ? from : to) =
            weighted(column << 24 | middle) == column ? middle + 1 : middle;
      }
    else
      to = 0x1000000;
    share[column] += to / 0x1p32;
    share[alias] += (0x1000000 - to) / 0x1p32;
  }
  return share;
}

TEST_CASE("Weighted draws in proportion to its weights") {
  const std::vector<std::vector<std::uint64_t>> tables = {{1},
                                                          {0, 5},
                                                          {1, 1},
                                                          {3, 0, 1},
                                                          std::vector<std::uint64_t>(256, 7),
                                                          {1, 1'000'000'000},
                                                          {1u << 30, 1u << 20, 1u << 10, 1}};
  for (const auto& weights : tables) {
    double total = 0;
    for (const auto weight : weights) total += static_cast<double>(weight);
    const auto share = shares(Weighted<8>(weights));
    for (std::size_t i = 0; i < 256; ++i) {
      const double expected = i < weights.size() ? static_cast<double>(weights[i]) / total : 0;
      CHECK(std::abs(share[i] - expected) <= 0x1p-24);
      if (expected == 0) CHECK(share[i] == 0);
    }
  }
}

}  // namespace
}  // namespace histolab::datasets
