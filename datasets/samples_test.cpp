// Tests of datasets with samples of 16 bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/generators.h"
#include "datasets/testing/test_data.h"
#include "reference/fnv1a.h"

namespace histolab::datasets {
namespace {

std::vector<std::uint64_t> counts(const std::vector<std::uint16_t>& samples) {
  std::vector<std::uint64_t> histogram(65536);
  for (const std::uint16_t sample : samples) ++histogram[sample];
  return histogram;
}

std::string names_with_width(std::uint32_t element_bytes) {
  std::string names;
  for (const Dataset& dataset : catalogue())
    if (dataset.has_width(element_bytes)) names += (names.empty() ? "" : ", ") + dataset.name;
  return names;
}

TEST_CASE("the catalogue says what can be generated in which width") {
  for (const Dataset& dataset : catalogue()) {
    CAPTURE(dataset.name);
    CHECK_FALSE(dataset.element_bytes.empty());
    for (const std::uint32_t bytes : {1u, 2u}) {
      const auto data = generate_samples(dataset.example, 10, 1, bytes);
      CHECK(data.ok() == dataset.has_width(bytes));
      if (data.ok()) CHECK(data->size() == 10 * bytes);
    }
  }
  CHECK(names_with_width(2) == "constant, runs, sorted, values, zipf, image, sensor, hot:P");
}

TEST_CASE("a width that a dataset lacks is an error that lists the datasets with that width") {
  const auto data = generate_samples("english", 10, 1, 2),
             loaded = load_samples("english", 10, 1, 2);
  REQUIRE_FALSE(data.ok());
  CHECK(data.error().message ==
        "The dataset \"english\" has no elements of 2 bytes. Choose one that has: " +
            names_with_width(2) + ".");
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().message == data.error().message);
}

TEST_CASE("sensor has no elements of one byte") {
  const auto data = generate("sensor", 10, 1);
  REQUIRE_FALSE(data.ok());
  CHECK(
      data.error().message.starts_with("The dataset \"sensor\" has no elements of 1 byte. Choose "
                                       "one that has: uniform-letters, english,"));
}

TEST_CASE("elements of another width than 1 or 2 are an error, of generators and of files") {
  for (const std::uint32_t bytes : {0u, 3u, 4u, 0xffff'ffffu})
    for (const char* name : {"values", "/nonexistent"}) {
      const auto data = load_samples(name, 10, 1, bytes);
      REQUIRE_FALSE(data.ok());
      CHECK(data.error().message ==
            "There are no elements of " + std::to_string(bytes) + " bytes. Ask for 1 or 2.");
      CHECK_FALSE(generate_samples(name, 10, 1, bytes).ok());
    }
}

TEST_CASE("a length counts elements, whatever their width") {
  CHECK(load_samples("values", std::nullopt, 1, 2)->size() == 2u << 20);
  CHECK(load_samples("values", 0, 1, 2)->empty());
  const auto data = generate_samples("values", std::uint64_t{1} << 32, 1, 2);
  REQUIRE_FALSE(data.ok());
  CHECK(data.error().message.find("Ask for at most 4294967295.") != std::string::npos);
}

TEST_CASE("golden samples: they never change, on any machine") {
  struct Golden {
    std::string_view name;
    std::uint64_t seed_1, seed_2, largest_seed;
  };
  static constexpr std::array<Golden, 9> golden = {{
      {"constant", 0xf0de2bead60f11ef, 0x87572d39354faec5, 0x10abd2f42336a3f7},
      {"runs", 0x445ddb0f2345c310, 0xf34f8c9f8a6bc302, 0xca91431f4ef8c330},
      {"sorted", 0x7f6b36b3eec40ab9, 0xd759f64bd3436f99, 0x07c41a94ce542788},
      {"zipf", 0x3e4c0fe319bd83b0, 0xfabce3043f26d1c8, 0xdf9871599bb42a93},
      {"image", 0x1eba6f73e957b636, 0x8c8f22406a9411dc, 0x5a667efd677524a4},
      {"sensor", 0x72a87eeb6cab2254, 0x50abaa0c4c98f964, 0xeb6a1e4edcbb7554},
      {"hot:50", 0xf7a0faa3d42ff90b, 0xb30be94e7a43cec2, 0xda58f74783be1688},
      {"hot:99.9", 0xfe74edd14544c6ce, 0xc42eb1955b83ba30, 0xcab8739ef3634215},
      {"values", 0x4957f4d00fcd53f1, 0xe99aa81b5dac998d, 0xa51f31796105469c},
  }};
  for (const Golden& expected : golden) {
    CAPTURE(expected.name);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 1, 2)) == expected.seed_1);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, 2, 2)) == expected.seed_2);
    CHECK(reference::fnv1a(data_of(expected.name, 100'003, ~std::uint64_t{0}, 2)) ==
          expected.largest_seed);
  }
}

TEST_CASE("every requested length is generated, and fewer samples are a prefix of more") {
  for (const Dataset& dataset : catalogue()) {
    if (!dataset.has_width(2)) continue;
    CAPTURE(dataset.example);
    const Data longest = data_of(dataset.example, 5000, 9, 2);
    for (const std::size_t length :
         {0u, 1u, 2u, 3u, 31u, 32u, 33u, 1000u, 1023u, 1024u, 1025u, 4097u, 4999u}) {
      const Data data = data_of(dataset.example, length, 9, 2);
      REQUIRE(data.size() == 2 * length);
      if (dataset.name != "sorted") CHECK(std::equal(data.begin(), data.end(), longest.begin()));
    }
  }
}

TEST_CASE("a different seed gives different samples") {
  for (const Dataset& dataset : catalogue()) {
    if (!dataset.has_width(2)) continue;
    CAPTURE(dataset.example);
    const std::uint64_t length = dataset.name == "runs" ? 100'000 : 200;
    CHECK(data_of(dataset.example, length, 1, 2) != data_of(dataset.example, length, 2, 2));
  }
}

TEST_CASE("values: all of them, each equally often; of elements of one byte it is `bytes`") {
  CHECK(data_of("values", 100'003, 5) == data_of("bytes", 100'003, 5));
  const auto samples = samples_of("values", 1 << 22);
  const auto histogram = counts(samples);
  CHECK(*std::min_element(histogram.begin(), histogram.end()) > 0);  // 64 are expected
  // 65 535 degrees of freedom: the standard deviation is 362.
  CHECK(chi_square(histogram, 0, 65536, samples.size()) < 65535 + 4 * 362);
  CHECK(chi_square(histogram, 0, 65536, samples.size()) > 65535 - 4 * 362);
}

TEST_CASE("constant: one value, both bytes the letter of the same seed") {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const std::uint16_t sample : samples_of("constant", 1000, seed))
      CHECK(sample == widened(data_of("constant", 1, seed).front()));
}

TEST_CASE("sorted: the samples of `values` in ascending order") {
  for (const std::uint64_t length : {1u, 100'001u}) {
    auto samples = samples_of("values", length, 5);
    std::sort(samples.begin(), samples.end());
    CHECK(samples_of("sorted", length, 5) == samples);
  }
}

TEST_CASE("runs: 2048 long on average, of values from the whole range") {
  const auto samples = samples_of("runs", 1 << 24);
  std::size_t runs = 1, in_upper_half = samples[0] >> 15;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i] == samples[i - 1]) continue;
    ++runs;
    in_upper_half += samples[i] >> 15;
  }
  CHECK(static_cast<double>(samples.size()) / static_cast<double>(runs) ==
        doctest::Approx(2048).epsilon(0.05));
  CHECK(static_cast<double>(in_upper_half) / static_cast<double>(runs) ==
        doctest::Approx(0.5).epsilon(0.05));
}

std::uint16_t zipf_value(std::size_t rank) { return static_cast<std::uint16_t>(zipf_step * rank); }

TEST_CASE("zipf: rank k of 65 536 in proportion to k^-1.2") {
  const std::size_t length = 1 << 24;
  const auto histogram = counts(samples_of("zipf", length));
  std::vector<double> expected(65537);
  double total = 0;
  for (int k = 65536; k >= 1; --k)
    total += expected[static_cast<std::size_t>(k)] = std::pow(k, -1.2);
  for (double& share : expected) share *= static_cast<double>(length) / total;
  for (std::size_t k = 1; k <= 1000; ++k) {
    CAPTURE(k);
    CHECK(std::abs(static_cast<double>(histogram[zipf_value(k)]) - expected[k]) <
          4.5 * std::sqrt(expected[k]));
  }
  // Rare values are tested in bands with 8 to 1000 elements each: their frequency
  // follows their rank.
  for (std::size_t first = 1001; first + 1024 <= 65537; first += 1024) {
    CAPTURE(first);
    double got = 0, wanted = 0;
    for (std::size_t k = first; k < first + 1024; ++k) {
      got += static_cast<double>(histogram[zipf_value(k)]);
      wanted += expected[k];
    }
    CHECK(std::abs(got - wanted) < 4.5 * std::sqrt(wanted) + wanted * 1e-3);
  }
}

TEST_CASE("zipf: every value has a rank, and adjacent ranks are far apart") {
  std::vector<bool> has_rank(65536);
  for (std::size_t rank = 1; rank <= 65536; ++rank) has_rank[zipf_value(rank)] = true;
  CHECK(std::count(has_rank.begin(), has_rank.end(), true) == 65536);
  for (std::size_t first : {1u, 2u, 100u, 40'000u, 65'505u}) {
    std::vector<std::uint16_t> values;
    std::set<int> banks;
    for (std::size_t rank = first; rank < first + 32; ++rank) {
      values.push_back(zipf_value(rank));
      banks.insert(values.back() % 32);
    }
    CHECK(banks.size() == 32);
    std::sort(values.begin(), values.end());
    // 2048 would be a perfectly even gap. Multiples of the golden ratio have at most
    // three sizes of gaps.
    for (std::size_t i = 1; i < values.size(); ++i) CHECK(values[i] - values[i - 1] >= 1024);
    for (std::size_t i = 1; i < values.size(); ++i) CHECK(values[i] - values[i - 1] <= 4096);
  }
}

TEST_CASE("hot: one value for the percentage asked for, any value otherwise") {
  const std::size_t length = 1 << 22;
  for (const auto& [name, share] :
       {std::pair{"hot:0", 0.0}, {"hot:50", 0.5}, {"hot:99.9", 0.999}}) {
    CAPTURE(name);
    auto histogram = counts(samples_of(name, length));
    const double hot = share + (1 - share) / 65536,
                 spread = std::sqrt(hot * (1 - hot) * static_cast<double>(length));
    CHECK(std::abs(static_cast<double>(histogram[0x6d6d]) - hot * static_cast<double>(length)) <
          4 * spread);
    histogram[0x6d6d] = 0;
    std::vector<std::uint64_t> top_bytes(256);
    for (std::size_t value = 0; value < 65536; ++value) top_bytes[value >> 8] += histogram[value];
    const std::uint64_t others =
        std::accumulate(top_bytes.begin(), top_bytes.end(), std::uint64_t{0});
    CHECK(chi_square(top_bytes, 0, 256, others) < 350);  // 255 degrees of freedom
  }
  CHECK(counts(samples_of("hot:100", length))[0x6d6d] == length);
}

TEST_CASE("image: the bytes are the upper bytes of the samples") {
  const auto samples = samples_of("image", 100'003, 7);
  const Data bytes = data_of("image", 100'003, 7);
  for (std::size_t i = 0; i < bytes.size(); ++i) REQUIRE(bytes[i] == samples[i] >> 8);
}

TEST_CASE("image: neighbours are alike, in a row and between rows") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Data image = data_of("image", picture_width * picture_height, seed);
    std::size_t alike = 0, alike_below = 0;
    for (std::size_t i = picture_width; i < image.size(); ++i) {
      alike += std::abs(image[i] - image[i - 1]) <= 8;
      alike_below += std::abs(image[i] - image[i - picture_width]) <= 8;
    }
    CHECK(alike > image.size() * 95 / 100);
    CHECK(alike_below > image.size() * 95 / 100);
  }
}

// Counts the humps of the histogram in steps of four values. A hump has at least 0.5 % of the
// pixels in its highest step and falls below half of that before the next hump.
std::size_t humps(const Data& image) {
  std::vector<std::uint64_t> steps(64);
  for (const std::uint8_t value : image) ++steps[value / 4];
  std::size_t found = 0;
  std::uint64_t highest = 0, lowest = 0;  // step since the last hump or valley
  bool rising = true;
  for (const std::uint64_t step : steps) {
    highest = std::max(highest, step);
    lowest = std::min(lowest, step);
    if (rising && step * 2 < highest && highest > image.size() / 200) {
      ++found;
      rising = false;
      lowest = step;
    } else if (!rising && step > 2 * lowest && step > image.size() / 200) {
      rising = true;
      highest = step;
    }
  }
  return found;
}

TEST_CASE("image: the histogram has several humps and uses the scale") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Data image = data_of("image", picture_width * picture_height, seed);
    CHECK(humps(image) >= 3);
    CHECK(std::count_if(image.begin(), image.end(), [](std::uint8_t v) { return v < 64; }) >
          200'000);
    CHECK(std::count_if(image.begin(), image.end(), [](std::uint8_t v) { return v > 128; }) >
          200'000);
    CHECK(std::count(image.begin(), image.end(), 0) < 1000);  // few pixels are clamped
    CHECK(std::count(image.begin(), image.end(), 255) < 10'000);
  }
}

TEST_CASE("image: below a picture comes another one") {
  const std::size_t pixels = picture_width * picture_height;
  const Data two = data_of("image", 2 * pixels);
  CHECK(reference::fnv1a(two) == 0xd2ee9b95100f051e);  // the same pixels on every machine
  CHECK_FALSE(std::equal(two.begin(), two.begin() + static_cast<std::ptrdiff_t>(pixels),
                         two.begin() + static_cast<std::ptrdiff_t>(pixels)));
}

TEST_CASE(
    "sensor: twelve bits, most of them the baseline's, and pulses up to the end of the scale") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto samples = samples_of("sensor", 1 << 20, seed);
    const auto [lowest, highest] = std::minmax_element(samples.begin(), samples.end());
    CHECK(*lowest > 240);
    CHECK(*highest == sensor_levels - 1);
    const auto baseline =
        std::count_if(samples.begin(), samples.end(), [](std::uint16_t v) { return v < 530; });
    CHECK(baseline > 800'000);
    CHECK(baseline < 950'000);
    const auto cut = std::count(samples.begin(), samples.end(), sensor_levels - 1);
    CHECK(cut > 100);
    CHECK(cut < 10'000);
  }
}

TEST_CASE("sensor: a pulse every 1024 samples, most of them of the two lines") {
  const auto samples = samples_of("sensor", 1 << 22);
  // A counted pulse rises by 150 within 4 samples from a quiet baseline. Pulses on top of another
  // one are not counted.
  std::size_t pulses = 0, low_line = 0, high_line = 0;
  for (std::size_t i = 200; i + 40 < samples.size(); ++i) {
    const int before = samples[i - 1];
    if (before > 520 || samples[i + 3] < before + 150) continue;
    const int height = *std::max_element(samples.begin() + static_cast<std::ptrdiff_t>(i),
                                         samples.begin() + static_cast<std::ptrdiff_t>(i) + 40) -
                       before;
    ++pulses;
    low_line += height > 820 && height < 980;
    high_line += height > 1650 && height < 1950;
    i += 200;
  }
  CHECK(pulses > samples.size() / 1024 * 6 / 10);
  CHECK(pulses <= samples.size() / 1024);
  CHECK(low_line * 10 > pulses * 3);
  CHECK(high_line * 10 > pulses * 3);
}

}  // namespace
}  // namespace histolab::datasets
