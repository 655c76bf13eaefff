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
#include "reference/splitmix64.h"

namespace histolab::datasets {
namespace {

std::vector<std::uint64_t> counts(const Data& data) {
  return reference::histogram(data, {reference::Domain::bytes, 256, 1});
}

bool is_letter(std::uint8_t byte) { return byte >= 'a' && byte <= 'z'; }

bool is_capital(std::uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

double share_of_letters(const Data& data) {
  return static_cast<double>(std::count_if(data.begin(), data.end(), is_letter)) /
         static_cast<double>(data.size());
}

TEST_CASE("golden bytes: they never change, on any machine") {
  struct Golden {
    std::string_view name;
    std::uint64_t seed_1, seed_2, largest_seed;
  };
  static constexpr std::array<Golden, 13> golden = {{
      {"uniform-letters", 0x9caff88edd69ba6e, 0x9d5e2a2d80989226, 0x1ff388028bdcda18},
      {"english", 0xde02b61005311dcf, 0x6870748fd07a6a71, 0x18fc71dba06085e8},
      {"constant", 0xe6ade7f43207cb84, 0xe0d90e20e4f98a6b, 0x1b2d6e28437c9cd0},
      {"runs", 0xce90cfd2fb736fc0, 0xfe3c2c2b08d7ae75, 0x4d2994cbb465788c},
      {"sorted", 0xa0f95c8f99f7d65c, 0x0831420890eea8d4, 0x3f4e844623dedd8a},
      {"bytes", 0x17401e86c3e87565, 0x05fb482586af8db6, 0x1276795f0ae275d8},
      {"zipf", 0x1d3c90dc639d6287, 0x773076c8c7a0eedd, 0x4dacc3c81269a5b8},
      {"two-bins", 0x93c7ea803c96d946, 0xae63a1db6f98ffe6, 0xe8a7decd5e0222e6},
      {"mixed", 0x8ee2e56851006e02, 0xf97304afe23fcdaf, 0x793c22210ca992e1},
      {"image", 0x0803b3398b9ce1c4, 0xb43523d65aff622d, 0x78155cf0e70d4e44},
      {"book", 0x0915d301249409f7, 0x0915d301249409f7, 0x0915d301249409f7},
      {"hot:50", 0x542144b38366dd1b, 0x0735a5d4d84b8fc4, 0xd1945f6839eadb97},
      {"hot:99.9", 0xb76d3d3affdc2f4c, 0x107e8bd5f739a9cf, 0x5e3404532c8ff3e3},
  }};
  for (const Golden& expected : golden) {
    CAPTURE(expected.name);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 1)) == expected.seed_1);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 2)) == expected.seed_2);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, ~std::uint64_t{0})) ==
          expected.largest_seed);
  }
}

TEST_CASE("every requested length is generated, and a shorter output is a prefix of a longer one") {
  for (const auto& dataset : catalogue()) {
    if (!dataset.has_width(1)) continue;
    CAPTURE(dataset.example);
    const Data longest = data_of(dataset.example, 5000, 9);
    for (const std::size_t length :
         {0u, 1u, 2u, 3u, 7u, 30u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u, 4999u}) {
      const Data data = data_of(dataset.example, length, 9);
      REQUIRE(data.size() == length);
      if (dataset.name != "sorted") CHECK(std::equal(data.begin(), data.end(), longest.begin()));
    }
  }
}

TEST_CASE("a different seed gives different bytes, unless the dataset has no random part") {
  for (const auto& dataset : catalogue()) {
    if (!dataset.has_width(1)) continue;
    CAPTURE(dataset.example);
    const bool fixed = dataset.name == "book" || typed_text(dataset.example);
    const std::uint64_t length = dataset.name == "runs" ? 100'000 : 200;
    CHECK((data_of(dataset.example, length, 1) == data_of(dataset.example, length, 2)) == fixed);
    CHECK(data_of(dataset.example, length, 3) == data_of(dataset.example, length, 3));
  }
}

TEST_CASE("uniform-letters: every letter equally often") {
  const Data data = data_of("uniform-letters", 1 << 20);
  CHECK(share_of_letters(data) == 1.0);
  CHECK(chi_square(counts(data), 'a', 26, data.size()) <
        60);  // 25 degrees of freedom: 1 in 10 000 is above 59
}

TEST_CASE("bytes: every value equally often") {
  const Data data = data_of("bytes", 1 << 20);
  CHECK(chi_square(counts(data), 0, 256, data.size()) < 350);  // 255 degrees of freedom
}

TEST_CASE("bytes: eight values do not predict the next eight") {
  const auto number_at = [](const Data& data, std::size_t at) {
    std::uint64_t number = 0;
    for (std::size_t i = 8; i-- > 0;) number = number << 8 | data[at + i];
    return number;
  };
  // The inverse of splitmix64_mixed.
  const auto unmixed = [](std::uint64_t z) {
    z = (z ^ z >> 31 ^ z >> 62) * 0x319642b2d24d8ec3;
    z = (z ^ z >> 27 ^ z >> 54) * 0x96de1b173f119089;
    return z ^ z >> 30 ^ z >> 60;
  };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Data data = data_of("bytes", 16, seed);
    const std::uint64_t state = unmixed(number_at(data, 0));
    CHECK(reference::splitmix64_mixed(state) == number_at(data, 0));
    CHECK(reference::splitmix64_mixed(state + reference::splitmix64_step) != number_at(data, 8));
  }
}

TEST_CASE("constant: one letter, and any letter for some seed") {
  std::set<std::uint8_t> letters;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Data data = data_of("constant", 1000, seed);
    CHECK(std::count(data.begin(), data.end(), data.front()) == 1000);
    CHECK(is_letter(data.front()));
    letters.insert(data.front());
  }
  CHECK(letters.size() == 26);
}

TEST_CASE("sorted: the uniform letters of the same seed in ascending order") {
  for (const std::uint64_t length : {1u, 26u, 100'001u}) {
    Data letters = data_of("uniform-letters", length, 5);
    std::sort(letters.begin(), letters.end());
    CHECK(data_of("sorted", length, 5) == letters);
  }
}

TEST_CASE("runs: lengths are geometric with mean 2048, and adjacent runs have different letters") {
  const Data data = data_of("runs", 1 << 24);
  CHECK(share_of_letters(data) == 1.0);
  std::vector<std::size_t> lengths;
  for (std::size_t first = 0, i = 1; i < data.size(); ++i)
    if (data[i] != data[i - 1]) {
      lengths.push_back(i - first);
      first = i;
    }
  const auto runs = static_cast<double>(lengths.size());
  CHECK(static_cast<double>(data.size()) / runs == doctest::Approx(2048).epsilon(0.05));
  // Memoryless: the share of runs longer than x is e^(-x / 2048).
  for (const double x : {100.0, 1000.0, 2048.0, 6000.0}) {
    const auto longer = std::count_if(lengths.begin(), lengths.end(),
                                      [x](std::size_t l) { return static_cast<double>(l) > x; });
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
    const double expected =
        std::pow(static_cast<double>(k), -1.2) / total * static_cast<double>(length);
    CHECK(std::abs(static_cast<double>(histo[zipf_byte(k)]) - expected) <
          4.5 * std::sqrt(expected) + expected * 1e-4);
  }
  CHECK(share_of_letters(data_of("zipf", length)) > 0.5);
}

TEST_CASE("zipf: adjacent ranks are in different banks") {
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
  CHECK(static_cast<double>(histo['m']) ==
        doctest::Approx(static_cast<double>(data.size()) / 2).epsilon(0.01));
}

// The classes of bytes that a bounds test must distinguish.
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

TEST_CASE("english: 81 % of the bytes are letters, with the letter frequencies of English") {
  const Data data = data_of("english", 1 << 22);
  CHECK(share_of_letters(data) == doctest::Approx(0.81).epsilon(0.01));
  const auto histo = counts(data);
  std::string order = "abcdefghijklmnopqrstuvwxyz";
  std::sort(order.begin(), order.end(), [&](char a, char b) {
    return histo[static_cast<std::uint8_t>(a)] > histo[static_cast<std::uint8_t>(b)];
  });
  CHECK(order.substr(0, 8) == "etaoinsr");
  std::uint64_t letters = 0;
  for (std::size_t c = 'a'; c <= 'z'; ++c) letters += histo[c];
  CHECK(static_cast<double>(histo['e']) / static_cast<double>(letters) ==
        doctest::Approx(0.1249).epsilon(0.01));
  CHECK(static_cast<double>(histo['z']) / static_cast<double>(letters) ==
        doctest::Approx(0.0009).epsilon(0.1));
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
  CHECK(static_cast<double>(in_words) / static_cast<double>(words) ==
        doctest::Approx(4.79).epsilon(0.01));
  CHECK(longest_line >= 72);
  CHECK(longest_line <= 72 + 16);
}

TEST_CASE("hot: generates m at the requested percentage, and all letters equally often otherwise") {
  const std::size_t length = 1 << 22;
  for (const auto& [name, share] :
       {std::pair{"hot:0", 0.0}, {"hot:0.5", 0.005}, {"hot:50", 0.5}, {"hot:99.9", 0.999}}) {
    CAPTURE(name);
    const Data data = data_of(name, length);
    auto histo = counts(data);
    const double m = share + (1 - share) / 26,
                 spread = std::sqrt(m * (1 - m) * static_cast<double>(length));
    CHECK(std::abs(static_cast<double>(histo['m']) - m * static_cast<double>(length)) < 4 * spread);
    const std::size_t others = length - histo['m'];
    histo['m'] = histo['z'];  // 25 letters, now a to y
    CHECK(chi_square(histo, 'a', 25, others) < 60);
    CHECK(share_of_letters(data) == 1.0);
  }
  CHECK(counts(data_of("hot:100", length))['m'] == length);
}

TEST_CASE("hot: a higher percentage only replaces further samples with m") {
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
  for (const char* wrong :
       {"", ".", "1.", ".5", "-1", "+1", "1e1", "100.1", "101", "1000", "50%", " 5", "5 ", "1,5",
        "1.1.1", "0.0000001", "999999999999999999999", "nan"}) {
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
