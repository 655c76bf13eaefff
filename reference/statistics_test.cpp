#include "reference/statistics.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

using namespace histolab::reference;

TEST_CASE("a median is the middle, or between the two middles") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({7}) == 7);
  CHECK(median({}) == 0);
}

TEST_CASE("the interval is that of the tables") {
  // Ranks for 95 % from tables of the binomial distribution: n = 10: 2nd and 9th; 20: 6th and 15th;
  // 100: 40th and 61st.
  const auto ranks = [](std::size_t n) {
    std::vector<double> samples(n);
    std::iota(samples.begin(), samples.end(), 1.0);
    const MedianInterval interval = median_interval(samples);
    return std::pair{interval.low, interval.high};
  };
  CHECK(ranks(3) == std::pair{1.0, 3.0});
  CHECK(ranks(6) == std::pair{1.0, 6.0});
  CHECK(ranks(10) == std::pair{2.0, 9.0});
  CHECK(ranks(20) == std::pair{6.0, 15.0});
  CHECK(ranks(100) == std::pair{40.0, 61.0});
}

TEST_CASE("at least 94 % of the intervals contain the true median") {
  std::uint64_t state = 1;
  const auto uniform = [&] {
    return static_cast<double>((state = state * 6364136223846793005u + 1442695040888963407u) >>
                               11) /
           9007199254740992.0;
  };
  int inside = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(15);
    for (double& sample : samples) sample = uniform() * uniform();  // skewed
    const MedianInterval interval = median_interval(samples);
    inside += interval.low <= 0.18668 && 0.18668 <= interval.high;
  }
  CHECK(inside >= trials * 94 / 100);
}

TEST_CASE("six digits are kept") {
  CHECK(six_digits(0.23484801) == 0.234848);
  CHECK(six_digits(4572069999999.5) == 4572070000000.0);
  CHECK(six_digits(0) == 0);
}

TEST_CASE("the spread is half the interval over the median") {
  CHECK(relative_spread({10, 9, 11}) == doctest::Approx(0.1));
  CHECK(relative_spread({0, 0, 0}) == 0);
}
