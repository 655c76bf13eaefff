#include "reference/closed_forms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace histolab::reference;

TEST_CASE("one address takes one update at a time") {
  CHECK(updates_per_second(100) == doctest::Approx(10e6));
  CHECK(operations_per_second(updates_per_second(100), 5) == doctest::Approx(50e6));
  CHECK(updates_per_second(nanoseconds(200, 2)) == doctest::Approx(10e6));
}

TEST_CASE("a cache shortens the latency of those that hit") {
  CHECK(mean_latency_ns(0.9, 4, 100) == doctest::Approx(13.6));
  CHECK(updates_per_second(mean_latency_ns(0.9, 4, 100)) ==
        doctest::Approx(73.53e6).epsilon(0.001));
  CHECK(mean_latency_ns(0.5, 4, 100) == doctest::Approx(52));
  CHECK(mean_latency_ns(0, 4, 100) == 100);
  CHECK(mean_latency_ns(1, 4, 100) == 4);
}

TEST_CASE("a private copy is fast, and its commit is paid for") {
  CHECK(updates_per_second_privatized(1, 0.1) == doctest::Approx(909.09e6).epsilon(0.001));
  CHECK(operations_per_second(updates_per_second_privatized(1, 0.1), 5) ==
        doctest::Approx(4.545e9).epsilon(0.001));
}

TEST_CASE(
    "a thread that makes its updates and operations in turn: the rate, and back to the hit rate") {
  const InTurn thread{.updates = 5, .operations = 100, .operation_ns = 1};
  CHECK(operations_per_second(thread, mean_latency_ns(0.5, 5, 120)) ==
        doctest::Approx(0.2424e9).epsilon(0.001));
  for (const double share : {0.0, 0.25, 0.5, 0.9, 1.0})
    CHECK(hit_rate_of(thread, operations_per_second(thread, mean_latency_ns(share, 5, 120)), 5,
                      120) == doctest::Approx(share));
  CHECK(hit_rate_of(thread, 1e9, 5, 120) > 1);  // faster than if all hit the cache
}

TEST_CASE("memory bandwidth and the sum of lane indices match values computed by hand") {
  CHECK(memory_bytes_per_second(64, 2, 8, 1) == 128e9);
  CHECK(memory_bytes_per_second(32, 1, 1, 0.5) == 2e9);
  CHECK(sum_of_indices(32) == 496);
  CHECK(sum_of_indices(1) == 0);
  CHECK(sum_of_indices(0) == 0);
}

TEST_CASE("the busiest of several addresses limits the rate of updates") {
  CHECK(updates_per_second_over_addresses(100, 1) == doctest::Approx(10e6));
  CHECK(updates_per_second_over_addresses(100, 1.0 / 7) == doctest::Approx(70e6));
  CHECK(updates_per_second_over_addresses(100, 0.5) == doctest::Approx(20e6));
}

TEST_CASE("serialization of a warp: by hand where that is possible") {
  CHECK(expected_serialization(32, 1) == doctest::Approx(32));
  CHECK(expected_serialization(1, 256) == doctest::Approx(1));
  CHECK(expected_serialization(2, 2) == doctest::Approx(1.5));   // on one bin in half of the cases
  CHECK(expected_serialization(2, 10) == doctest::Approx(1.1));  // on one bin in one of ten cases
  const double skewed[] = {0.9, 0.1};
  CHECK(expected_serialization(2, skewed) == doctest::Approx(1 + 0.82));
  const double one_and_none[] = {1, 0, 0};
  CHECK(expected_serialization(32, one_and_none) == doctest::Approx(32));
}

TEST_CASE("serialization of a warp: as random warps have it") {
  std::mt19937 random{1};
  for (const std::vector<double>& chances : {zipf(7, 0), zipf(7, 1.2), zipf(256, 0), zipf(32, 2)}) {
    std::discrete_distribution<int> bin(chances.begin(), chances.end());
    constexpr int warps = 20000;
    double degrees = 0, distinct = 0;
    for (int warp = 0; warp < warps; ++warp) {
      std::vector<int> lanes(chances.size());
      for (int lane = 0; lane < 32; ++lane) ++lanes[static_cast<std::size_t>(bin(random))];
      degrees += *std::max_element(lanes.begin(), lanes.end());
      for (const int on : lanes) distinct += on > 0;
    }
    CHECK(expected_serialization(32, chances) == doctest::Approx(degrees / warps).epsilon(0.01));
    CHECK(expected_distinct(32, chances) == doctest::Approx(distinct / warps).epsilon(0.01));
  }
}

TEST_CASE(
    "serialization of one hot bin among others that are alike: in any order, and between its "
    "bounds") {
  for (const double hot : {0.0, 0.3, 0.9, 1.0}) {
    std::vector<double> chances(256, (1 - hot) / 256);
    chances[0] += hot;
    const double degree = expected_serialization(32, chances);
    std::swap(chances[0], chances[100]);
    CHECK(expected_serialization(32, chances) == doctest::Approx(degree));
    CHECK(degree >= 32 * chances[100] - 1e-9);
    CHECK(degree <= 32 + 1e-9);
  }
}

TEST_CASE("serialization grows with skew and with fewer bins") {
  double before = 0;
  for (const double exponent : {0.0, 0.5, 1.0, 1.5, 2.0, 4.0}) {
    const double degree = expected_serialization(32, zipf(64, exponent));
    CHECK(degree > before);
    before = degree;
  }
  CHECK(expected_serialization(32, 7) > expected_serialization(32, 8));
}

TEST_CASE("the best number of copies is where neither side is cheaper") {
  const Privatization of{1e6, 0.25, 1, 100};
  const double best = best_copies(of);
  CHECK(best == doctest::Approx(50));
  CHECK(privatized_ns(of, best) < privatized_ns(of, best * 1.1));
  CHECK(privatized_ns(of, best) < privatized_ns(of, best / 1.1));
  CHECK(privatized_ns(of, 1) == doctest::Approx(250100));
  CHECK(best_copies({1, 1, 1, 100}) == 1);
}

TEST_CASE("aggregation pays off if neighbours are equal") {
  CHECK(updates_per_element_aggregated(zipf(1, 0)) == doctest::Approx(0));
  CHECK(updates_per_element_aggregated(zipf(7, 0)) == doctest::Approx(6.0 / 7));
  CHECK(updates_per_element_aggregated(zipf(7, 3)) < 0.35);
}

TEST_CASE("the slower of reading and updating") {
  CHECK(elements_per_second(1, 4e12, 1, 1e9) == doctest::Approx(1e9));
  CHECK(elements_per_second(1, 4e12, 1e-4, 1e9) == doctest::Approx(4e12));
  CHECK(elements_per_second(4, 4e12, 0, 1e9) == doctest::Approx(1e12));
  CHECK(std::isinf(elements_per_second(0, 1, 0, 1)));
}
