#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "datasets/datasets.h"
#include "datasets/generators.h"
#include "kernels/cuda/bench/data.h"

namespace histolab::kernels::cuda::bench {
namespace {

constexpr std::size_t tile = std::size_t{1} << 24;

std::vector<std::uint8_t> value_of(Result<std::vector<std::uint8_t>> made) {
  if (!made.ok()) throw std::runtime_error(made.error().message);
  return std::move(made.value());
}

std::vector<std::uint8_t> hot_bytes(const std::string& name, std::size_t length,
                                    std::uint64_t seed) {
  check_hot(name);
  const auto percent = datasets::percent_from(std::string_view(name).substr(name.find(':') + 1));
  std::vector<std::uint8_t> bytes(length);
  datasets::fill_hot(bytes, seed, percent.value(), datasets::Others::bytes);
  return bytes;
}

}  // namespace

void check_hot(const std::string& name) { value_of(datasets::generate(name, 0, 0)); }

std::vector<std::uint8_t> pattern_of(const std::string& name, bool even, std::size_t length,
                                     std::uint64_t seed) {
  if (name == "adversary") {
    std::vector<std::uint8_t> bytes;
    for (unsigned chunk = 0; chunk < 8; ++chunk)
      bytes.insert(bytes.end(), 16, static_cast<std::uint8_t>(5 + 32 * chunk));
    return bytes;
  }
  if (name == "edges") {
    std::vector<std::uint8_t> bytes;
    for (char first = 'a'; first <= 'y'; first = static_cast<char>(first + 4))
      for (const int byte : {first - 1, +first, first + 3, first + 4})
        bytes.push_back(static_cast<std::uint8_t>(byte));
    for (const char byte : {'z', '{', '|', '`', '@', 'Z'})
      bytes.push_back(static_cast<std::uint8_t>(byte));
    return bytes;
  }
  const std::size_t period = std::min(length, tile);
  return datasets::is_hot(name) && even ? hot_bytes(name, period, seed)
                                        : value_of(datasets::generate(name, period, seed));
}

}  // namespace histolab::kernels::cuda::bench
