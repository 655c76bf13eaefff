// Generated data for the tests of this module, and statistics of it.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/datasets.h"

namespace histolab::datasets {

using Data = std::vector<std::uint8_t>;

inline Data data_of(std::string_view name, std::uint64_t length, std::uint64_t seed = 1,
                    std::uint32_t element_bytes = 1) {
  auto data = generate_samples(name, length, seed, element_bytes);
  REQUIRE_MESSAGE(data.ok(), name);
  return std::move(data).value();
}

// Converts little-endian samples of 16 bits to numbers.
inline std::vector<std::uint16_t> numbers_of(const Data& bytes) {
  std::vector<std::uint16_t> numbers(bytes.size() / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<std::uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8);
  return numbers;
}

inline std::vector<std::uint16_t> samples_of(std::string_view name, std::uint64_t length,
                                             std::uint64_t seed = 1) {
  return numbers_of(data_of(name, length, seed, 2));
}

// Sum of (got - expected)^2 / expected over outcomes that should be equally frequent.
inline double chi_square(const std::vector<std::uint64_t>& got, std::size_t first,
                         std::size_t outcomes, std::size_t total) {
  const double expected = static_cast<double>(total) / static_cast<double>(outcomes);
  double sum = 0;
  for (std::size_t i = first; i < first + outcomes; ++i)
    sum += (static_cast<double>(got[i]) - expected) * (static_cast<double>(got[i]) - expected) /
           expected;
  return sum;
}

}  // namespace histolab::datasets
