#include "reference/histogram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <string_view>

namespace histolab::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes(std::string_view text) { return {text.begin(), text.end()}; }

Bytes all_values() {
  Bytes data(256);
  std::iota(data.begin(), data.end(), std::uint8_t{0});
  return data;
}

Bytes random_bytes(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes data(length);
  for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

// The definition, written naively: letter by letter, with one comparison after the other.
std::vector<std::uint64_t> letters_the_slow_way(const Bytes& data, std::uint32_t bins,
                                                std::uint32_t width) {
  std::vector<std::uint64_t> histo(bins, 0);
  for (const std::uint8_t byte : data)
    for (std::uint32_t letter = 0; letter < 26; ++letter)
      if (byte == 'a' + letter && letter / width < bins) histo[letter / width] += 1;
  return histo;
}

const Binning sevens{};

TEST_CASE("the default binning is the course's: seven bins of four letters") {
  CHECK(sevens.domain == Domain::letters);
  CHECK(sevens.bins == 7);
  CHECK(sevens.width == 4);
}

TEST_CASE("a letter falls into its bin and nothing else does") {
  for (const std::uint8_t byte : all_values()) {
    CAPTURE(byte);
    if (byte >= 'a' && byte <= 'z') {
      REQUIRE(sevens.bin_of(byte).has_value());
      CHECK(*sevens.bin_of(byte) == static_cast<std::uint32_t>(byte - 'a') / 4);
    } else {
      CHECK_FALSE(sevens.bin_of(byte).has_value());
    }
  }
}

TEST_CASE("the neighbours of the alphabet are ignored") {
  // '`' and '{' enclose a-z; 225 and 250 are 'a' and 'z' with the top bit set; '@' and '[' enclose
  // the capitals.
  for (const int byte : {int{'`'}, int{'{'}, int{'}'}, int{'_'}, int{'@'}, int{'['}, int{'A'},
                         int{'Z'}, 0, 127, 128, 225, 250, 255})
    CHECK_FALSE(sevens.bin_of(static_cast<std::uint8_t>(byte)).has_value());
  CHECK(sevens.bin_of('a') == 0u);
  CHECK(sevens.bin_of('d') == 0u);
  CHECK(sevens.bin_of('e') == 1u);
  CHECK(sevens.bin_of('x') == 5u);
  CHECK(sevens.bin_of('y') == 6u);
  CHECK(sevens.bin_of('z') == 6u);
}

TEST_CASE("bytes have all 256 values") {
  const Binning each{Domain::bytes, 256, 1}, fours{Domain::bytes, 4, 64};
  for (const std::uint8_t byte : all_values()) {
    CHECK(each.bin_of(byte) == std::uint32_t{byte});
    CHECK(fours.bin_of(byte) == std::uint32_t{byte} / 64);
  }
}

TEST_CASE("values beyond the last bin are ignored") {
  const Binning few{Domain::letters, 2, 4}, low{Domain::bytes, 3, 10};
  CHECK(few.bin_of('h') == 1u);
  CHECK_FALSE(few.bin_of('i').has_value());
  CHECK(low.bin_of(29) == 2u);
  CHECK_FALSE(low.bin_of(30).has_value());
  CHECK(histogram(all_values(), low) == std::vector<std::uint64_t>{10, 10, 10});
}

TEST_CASE("labels") {
  const std::vector<std::string> expected{"a-d", "e-h", "i-l", "m-p", "q-t", "u-x", "y-z"};
  for (std::uint32_t bin = 0; bin < 7; ++bin) CHECK(sevens.label(bin) == expected[bin]);
  CHECK(Binning{Domain::letters, 26, 1}.label(12) == "m");
  CHECK(Binning{Domain::letters, 9, 3}.label(8) == "y-z");
  CHECK(Binning{Domain::letters, 6, 5}.label(5) == "z");
  CHECK(Binning{Domain::letters, 8, 4}.label(7) == "nothing");
  CHECK(Binning{Domain::bytes, 4, 64}.label(1) == "64-127");
  CHECK(Binning{Domain::bytes, 256, 1}.label(255) == "255");
  CHECK(Binning{Domain::bytes, 3, 100}.label(2) == "200-255");
  CHECK(Binning{Domain::bytes, 2, 4'000'000'000u}.label(1) == "nothing");
}

TEST_CASE("the book's example") {
  const auto histo = histogram(bytes("programming massively parallel processors"), sevens);
  CHECK(histo == std::vector<std::uint64_t>{5, 5, 6, 10, 10, 1, 1});
}

TEST_CASE("no data, one letter, every tail length") {
  CHECK(histogram({}, sevens) == std::vector<std::uint64_t>(7, 0));
  CHECK(histogram(bytes("z"), sevens) == std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 1});
  for (std::size_t length = 0; length < 40; ++length) {
    const Bytes data(length, 'm');
    CHECK(histogram(data, sevens)[3] == length);
  }
}

TEST_CASE("agrees with the slow definition") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Bytes data = random_bytes(1000 + seed, seed);
    for (const std::uint32_t width : {1u, 3u, 4u, 26u})
      for (const std::uint32_t bins : {1u, 7u, 26u})
        CHECK(histogram(data, {Domain::letters, bins, width}) ==
              letters_the_slow_way(data, bins, width));
  }
}

// Identities of every histogram. Kernels with private copies rely on the last two.
TEST_CASE("bins sum to the number of letters") {
  const Bytes data = random_bytes(10'007, 3);
  const auto letters =
      std::count_if(data.begin(), data.end(), [](std::uint8_t c) { return c >= 'a' && c <= 'z'; });
  const auto histo = histogram(data, sevens);
  CHECK(std::accumulate(histo.begin(), histo.end(), std::uint64_t{0}) ==
        static_cast<std::uint64_t>(letters));
  const auto full = histogram(data, {Domain::bytes, 256, 1});
  CHECK(std::accumulate(full.begin(), full.end(), std::uint64_t{0}) == data.size());
}

TEST_CASE("the order of the data does not matter") {
  Bytes data = random_bytes(10'007, 4);
  const auto before = histogram(data, sevens);
  std::mt19937_64 random(5);
  for (std::size_t i = data.size(); i > 1; --i) std::swap(data[i - 1], data[random() % i]);
  CHECK(histogram(data, sevens) == before);
  std::sort(data.begin(), data.end());
  CHECK(histogram(data, sevens) == before);
}

TEST_CASE("the histogram of a whole is the sum of its parts' histograms") {
  const Bytes data = random_bytes(10'007, 6);
  const std::span<const std::uint8_t> whole(data);
  for (const Binning& binning :
       {sevens, Binning{Domain::bytes, 256, 1}, Binning{Domain::letters, 3, 5}}) {
    const auto expected = histogram(whole, binning);
    for (const std::size_t parts : {1u, 2u, 7u, 64u}) {
      std::vector<std::uint64_t> sum(binning.bins, 0);
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = whole.size() * part / parts,
                          last = whole.size() * (part + 1) / parts;
        const auto private_histo = histogram(whole.subspan(first, last - first), binning);
        for (std::size_t bin = 0; bin < sum.size(); ++bin) sum[bin] += private_histo[bin];
      }
      CHECK(sum == expected);
    }
  }
}

TEST_CASE("wide bins are sums of narrow ones") {
  const Bytes data = random_bytes(5000, 7);
  const auto letters = histogram(data, {Domain::letters, 26, 1});
  const auto groups = histogram(data, sevens);
  for (std::size_t bin = 0; bin < 7; ++bin) {
    std::uint64_t sum = 0;
    for (std::size_t letter = 4 * bin; letter < std::min<std::size_t>(26, 4 * bin + 4); ++letter)
      sum += letters[letter];
    CHECK(groups[bin] == sum);
  }
}

}  // namespace
}  // namespace histolab::reference
