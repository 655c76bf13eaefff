#include "datasets/generators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/testing/test_data.h"
#include "reference/fnv1a.h"
#include "reference/histogram.h"

namespace histolab::datasets {
namespace {

std::vector<std::uint64_t> counts(const Data& data) {
  return reference::histogram(data, {reference::Domain::bytes, 256, 1});
}

bool is_letter(std::uint8_t byte) { return byte >= 'a' && byte <= 'z'; }

bool is_capital(std::uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

double share_of_letters(const Data& data) {
  return static_cast<double>(std::count_if(data.begin(), data.end(), is_letter)) / static_cast<double>(data.size());
}

TEST_CASE("golden bytes: they never change, on any machine") {
  struct Golden {
    std::string_view name;
    std::uint64_t seed_1, seed_2, largest_seed;
  };
  static constexpr std::array<Golden, 13> golden = {{
      {"uniform-letters", 0x1c6b5a1f8742fa16, 0x4cdd449a2bd1b5d8, 0x5e01bd0875f59826},
      {"english", 0x5e97fc9ebddd3ed0, 0x2656a66244702522, 0xcfcac91c99b38f20},
      {"constant", 0x24549579420b0ae6, 0x24549579420b0ae6, 0x24549579420b0ae6},
      {"runs", 0x090a66953bff2e4d, 0x314c9bbd08e11549, 0x1fe39dbf9b28dd23},
      {"sorted", 0x9dbb0da04b7dd204, 0xfa4dc32c45eb49c6, 0x3870d800b1ff4356},
      {"bytes", 0x7572203400eb029f, 0x51f178bc169090eb, 0x6af19b9cb603069d},
      {"zipf", 0xdfaa4a522e93ceab, 0x29edcb45c18e1648, 0x86870487b9b8f59b},
      {"two-bins", 0xaebb3cb4bfea4f66, 0x9786f9b63183f926, 0xe967ad7136c4e846},
      {"mixed", 0xd973ec0d9ff2a574, 0x3b6fdd266418c9cf, 0xa7eaf80c46acd4d0},
      {"image", 0x3c1739c49df70e4c, 0x2a2557f90fec2362, 0x76d600f1cb123474},
      {"book", 0x0915d301249409f7, 0x0915d301249409f7, 0x0915d301249409f7},
      {"hot:50", 0x8d9a1c56c0423146, 0x9a5989d76f2d4361, 0x5ffb8c85ee359a74},
      {"hot:99.9", 0x4c7ea98346ce46d1, 0xf6f51ad09cd1c9e5, 0x871d04d1bc613b18},
  }};
  for (const Golden& expected : golden) {
    CAPTURE(expected.name);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 1)) == expected.seed_1);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 2)) == expected.seed_2);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, ~std::uint64_t{0})) == expected.largest_seed);
  }
}

TEST_CASE("every length comes out as asked, and a shorter output begins a longer one") {
  for (const auto& dataset : catalogue()) {
    if (!dataset.has_width(1)) continue;
    CAPTURE(dataset.example);
    const Data longest = data_of(dataset.example, 5000, 9);
    for (const std::size_t length : {0u, 1u, 2u, 3u, 7u, 30u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u, 4999u}) {
      const Data data = data_of(dataset.example, length, 9);
      REQUIRE(data.size() == length);
      if (dataset.name != "sorted") CHECK(std::equal(data.begin(), data.end(), longest.begin()));
    }
  }
}

TEST_CASE("another seed gives other bytes, unless there is nothing random") {
  for (const auto& dataset : catalogue()) {
    if (!dataset.has_width(1)) continue;
    CAPTURE(dataset.example);
    const bool fixed = dataset.name == "constant" || dataset.name == "book" || typed_text(dataset.example);
    const std::uint64_t length = dataset.name == "runs" ? 100'000 : 200;
    CHECK((data_of(dataset.example, length, 1) == data_of(dataset.example, length, 2)) == fixed);
    CHECK(data_of(dataset.example, length, 3) == data_of(dataset.example, length, 3));
  }
}

TEST_CASE("uniform-letters: every letter equally often") {
  const Data data = data_of("uniform-letters", 1 << 20);
  CHECK(share_of_letters(data) == 1.0);
  CHECK(chi_square(counts(data), 'a', 26, data.size()) < 60);  // 25 degrees of freedom: 1 in 10 000 is above 59
}

TEST_CASE("bytes: every value equally often") {
  const Data data = data_of("bytes", 1 << 20);
  CHECK(chi_square(counts(data), 0, 256, data.size()) < 350);  // 255 degrees of freedom
}

TEST_CASE("constant: m") {
  const Data data = data_of("constant", 1000);
  CHECK(std::count(data.begin(), data.end(), 'm') == 1000);
}

TEST_CASE("sorted: the uniform letters of the same seed in ascending order") {
  for (const std::uint64_t length : {1u, 26u, 100'001u}) {
    Data letters = data_of("uniform-letters", length, 5);
    std::sort(letters.begin(), letters.end());
    CHECK(data_of("sorted", length, 5) == letters);
  }
}

TEST_CASE("runs: geometric lengths with mean 2048, each run another letter than the one before") {
  const Data data = data_of("runs", 1 << 24);
  CHECK(share_of_letters(data) == 1.0);
  std::vector<std::size_t> lengths;
  for (std::size_t first = 0, i = 1; i < data.size(); ++i)
    if (data[i] != data[i - 1]) lengths.push_back(i - first), first = i;
  const auto runs = static_cast<double>(lengths.size());
  CHECK(static_cast<double>(data.size()) / runs == doctest::Approx(2048).epsilon(0.05));
  // Memoryless: the share of runs longer than x is e^(-x / 2048).
  for (const double x : {100.0, 1000.0, 2048.0, 6000.0}) {
    const auto longer =
        std::count_if(lengths.begin(), lengths.end(), [x](std::size_t l) { return static_cast<double>(l) > x; });
    CHECK(std::abs(static_cast<double>(longer) / runs - std::exp(-x / 2048)) < 0.03);
  }
  const auto histo = counts(data);
  CHECK(std::count(histo.begin() + 'a', histo.begin() + 'z' + 1, 0u) == 0);
}

std::uint8_t zipf_byte(std::size_t rank) { return static_cast<std::uint8_t>('e' + 5 * (rank - 1)); }

TEST_CASE("zipf: rank k in proportion to k^-1.2") {
  const std::size_t length = 1 << 22;
  const auto histo = counts(data_of("zipf", length));
  double total = 0;
  for (int k = 1; k <= 256; ++k) total += std::pow(k, -1.2);
  for (std::size_t k = 1; k <= 256; ++k) {
    CAPTURE(k);
    const double expected = std::pow(static_cast<double>(k), -1.2) / total * static_cast<double>(length);
    CHECK(std::abs(static_cast<double>(histo[zipf_byte(k)]) - expected) < 4.5 * std::sqrt(expected) + expected * 1e-4);
  }
  CHECK(share_of_letters(data_of("zipf", length)) > 0.5);
}

TEST_CASE("zipf: neighbouring ranks lie in different banks") {
  for (std::size_t first = 1; first + 32 <= 257; ++first) {
    std::set<int> banks;
    for (std::size_t rank = first; rank < first + 32; ++rank) banks.insert(zipf_byte(rank) % 32);
    CHECK(banks.size() == 32);
  }
}

TEST_CASE("two-bins: two values in one bank, one of them a letter, half each") {
  const Data data = data_of("two-bins", 1 << 20);
  const auto histo = counts(data);
  CHECK(histo['m'] + histo['M'] == data.size());
  CHECK('m' % 32 == 'M' % 32);
  CHECK(static_cast<double>(histo['m']) == doctest::Approx(static_cast<double>(data.size()) / 2).epsilon(0.01));
}

// What a bounds test can get wrong.
constexpr std::size_t classes = 9;
std::size_t class_of(std::uint8_t byte) {
  if (byte == 'y') return 1;
  if (byte == 'z') return 2;
  if (is_letter(byte)) return 0;
  if (is_capital(byte)) return 3;
  if (byte == '`') return 4;
  if (byte == '{') return 5;
  if (byte >= '0' && byte <= '9') return 6;
  if (byte >= 128) return 7;
  return 8;
}

TEST_CASE("mixed: any 31 bytes from a multiple of 31 hold every class, and the first is a letter") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Data data = data_of("mixed", 31 * 40, seed);
    for (std::size_t group = 0; group < data.size(); group += 31) {
      std::array<int, classes> seen{};
      int shifted_letters = 0;
      for (std::size_t i = group; i < group + 31; ++i) {
        ++seen[class_of(data[i])];
        shifted_letters += data[i] >= 'a' + 128 && data[i] <= 'z' + 128;
      }
      CHECK(*std::min_element(seen.begin(), seen.end()) >= 1);
      CHECK(seen[7] == 2);
      CHECK(shifted_letters >= 1);
      CHECK(is_letter(data[group]));
    }
  }
}

TEST_CASE("mixed: every lane of a warp meets every class") {
  const Data data = data_of("mixed", 1 << 18);
  std::array<std::array<int, classes>, 32> seen{};
  for (std::size_t i = 0; i < data.size(); ++i) ++seen[i % 32][class_of(data[i])];
  for (const auto& lane : seen) CHECK(*std::min_element(lane.begin(), lane.end()) > 100);
  const auto histo = counts(data);
  for (const char edge : {'`', '{', '}', '@', '[', '/', ':', ' ', '\x7f'})
    CHECK(histo[static_cast<std::uint8_t>(edge)] > 0);
  CHECK(share_of_letters(data) > 0.7);
}

TEST_CASE("english: a fifth is no letter, and letters are as frequent as in English") {
  const Data data = data_of("english", 1 << 22);
  CHECK(share_of_letters(data) == doctest::Approx(0.81).epsilon(0.01));
  const auto histo = counts(data);
  std::string order = "abcdefghijklmnopqrstuvwxyz";
  std::sort(order.begin(), order.end(),
            [&](char a, char b) { return histo[static_cast<std::uint8_t>(a)] > histo[static_cast<std::uint8_t>(b)]; });
  CHECK(order.substr(0, 8) == "etaoinsr");
  std::uint64_t letters = 0;
  for (std::size_t c = 'a'; c <= 'z'; ++c) letters += histo[c];
  CHECK(static_cast<double>(histo['e']) / static_cast<double>(letters) == doctest::Approx(0.1249).epsilon(0.01));
  CHECK(static_cast<double>(histo['z']) / static_cast<double>(letters) == doctest::Approx(0.0009).epsilon(0.1));
}

TEST_CASE("english: looks like text") {
  const Data data = data_of("english", 1 << 20);
  CHECK(is_capital(data[0]));
  std::size_t column = 0, words = 0, in_words = 0, longest_line = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint8_t byte = data[i];
    const bool in_word = is_letter(byte) || is_capital(byte);
    REQUIRE((in_word || byte == ' ' || byte == '\n' || byte == '.' || byte == ','));
    in_words += in_word;
    words += byte == ' ' || byte == '\n';
    column = byte == '\n' ? 0 : column + 1;
    longest_line = std::max(longest_line, column);
    if (i < 2) continue;
    CHECK(is_capital(byte) == (data[i - 2] == '.'));
  }
  CHECK(static_cast<double>(in_words) / static_cast<double>(words) == doctest::Approx(4.79).epsilon(0.01));
  CHECK(longest_line >= 72);
  CHECK(longest_line <= 72 + 16);
}

TEST_CASE("hot: m for the percentage asked for, and letters equally often otherwise") {
  const std::size_t length = 1 << 22;
  for (const auto& [name, share] : {std::pair{"hot:0", 0.0}, {"hot:0.5", 0.005}, {"hot:50", 0.5}, {"hot:99.9", 0.999}}) {
    CAPTURE(name);
    const Data data = data_of(name, length);
    auto histo = counts(data);
    const double m = share + (1 - share) / 26, spread = std::sqrt(m * (1 - m) * static_cast<double>(length));
    CHECK(std::abs(static_cast<double>(histo['m']) - m * static_cast<double>(length)) < 4 * spread);
    const std::size_t others = length - histo['m'];
    histo['m'] = histo['z'];  // 25 letters, now a to y
    CHECK(chi_square(histo, 'a', 25, others) < 60);
    CHECK(share_of_letters(data) == 1.0);
  }
  CHECK(counts(data_of("hot:100", length))['m'] == length);
}

TEST_CASE("hot: what is hot stays hot at a higher percentage, and nothing else changes") {
  const Data some = data_of("hot:30", 10'000, 5), more = data_of("hot:60.5", 10'000, 5);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (some[i] == more[i]) continue;
    ++changed;
    CHECK(more[i] == 'm');
  }
  CHECK(changed > 2500);
  CHECK(data_of("hot:60.5", 10'000, 5) == data_of("hot:060.500000", 10'000, 5));
}

TEST_CASE("percentages are taken as they are written") {
  const auto millionths = [](std::string_view text) {
    const auto percent = percent_from(text);
    return percent ? static_cast<long>(percent->millionths) : -1;
  };
  CHECK(millionths("0") == 0);
  CHECK(millionths("7") == 7'000'000);
  CHECK(millionths("99.9") == 99'900'000);
  CHECK(millionths("0.000001") == 1);
  CHECK(millionths("100") == 100'000'000);
  CHECK(millionths("100.0") == 100'000'000);
  for (const char* wrong : {"", ".", "1.", ".5", "-1", "+1", "1e1", "100.1", "101", "1000", "50%", " 5", "5 ", "1,5", "1.1.1",
                            "0.0000001", "999999999999999999999", "nan"}) {
    CAPTURE(wrong);
    CHECK(millionths(wrong) == -1);
  }
}

TEST_CASE("book: the printed example") {
  CHECK(book_text.size() == 41);
  const Data data = data_of("book", book_text.size());
  CHECK(std::string(data.begin(), data.end()) == "programming massively parallel processors");
  CHECK(reference::histogram(data, {}) == std::vector<std::uint64_t>{5, 5, 6, 10, 10, 1, 1});
  const Data thrice = data_of("book", 3 * book_text.size());
  CHECK(reference::histogram(thrice, {}) == std::vector<std::uint64_t>{15, 15, 18, 30, 30, 3, 3});
}

}  // namespace
}  // namespace histolab::datasets
