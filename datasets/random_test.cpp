#include "datasets/random.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace histolab::datasets {
namespace {

TEST_CASE("SplitMix64 gives its published sequence") {
  // The first outputs of the authors' implementation for state 1234567.
  const Positions positions(1234567);
  std::uint64_t i = 0;
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
        16408922859458223821u})
    CHECK(positions.at(i++) == expected);
}

// Returns the keystream's bytes from block `first` on, in hexadecimal.
std::string keystream(const ChaChaKey& key, std::uint64_t first, int rounds) {
  std::array<std::uint64_t, chacha_numbers> numbers{};
  chacha_blocks(key, first, rounds, numbers);
  std::string text;
  for (const std::uint64_t number : numbers)
    for (int shift = 0; shift < 64; shift += 8)
      for (const int digit : {4, 0}) text += "0123456789abcdef"[number >> (shift + digit) & 15];
  return text;
}

TEST_CASE("ChaCha gives its published keystreams") {
  // Key 0 and nonce 0; 8 rounds: draft-strombergson-chacha-test-vectors-01, TC1. 20 rounds: RFC
  // 8439, A.1.
  CHECK(keystream({}, 0, 8).starts_with(
      "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
      "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
      "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
      "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa"));
  CHECK(keystream({}, 0, 20).starts_with(
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
      "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
      "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
      "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"));
  // RFC 8439, 2.3.2: the bytes 0 to 31 are the key. The RFC splits nonce and counter at a
  // different position.
  ChaChaKey key;
  for (std::uint32_t i = 0; i < 8; ++i) key.words[i] = 0x03020100 + 0x04040404 * i;
  key.nonce = 0x4a000000;
  CHECK(keystream(key, 0x0900'0000'0000'0001, 20)
            .starts_with("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                         "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"));
}

TEST_CASE("each block of a keystream is drawn once") {
  Random random(7);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10'000; ++i) CHECK(seen.insert(random.next()).second);
}

TEST_CASE("every dataset and seed has a stream of its own") {
  std::set<std::uint64_t> first;
  for (const char* dataset : {"", "a", "b", "ab", "ba", "english"})
    for (std::uint64_t seed = 0; seed < 100; ++seed)
      CHECK(first.insert(Random(dataset, seed).next()).second);
}

TEST_CASE("below covers its range evenly and stays in it") {
  CHECK(below(26, 0) == 0);
  CHECK(below(26, 0xffff'ffff) == 25);
  CHECK(below(1, 0xffff'ffff) == 0);
  CHECK(below(10, 0x7fff'ffff) == 4);
  CHECK(below(10, 0x8000'0000) == 5);
}

// Returns every outcome's exact share. It is computed from both parts of each column, because 2^32
// draws would take too long.
std::vector<double> shares(const Weighted<8>& weighted) {
  std::vector<double> share(256, 0.0);
  for (std::uint32_t column = 0; column < 256; ++column) {
    // The column's own outcome is drawn for low values of the other 24 bits. Find the
    // end of that range.
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
