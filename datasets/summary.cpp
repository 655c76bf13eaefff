#include "datasets/summary.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace histolab::datasets {
namespace {

constexpr std::uint64_t lanes = 32;

// Returns the largest number of lanes with the same bin. Bins beyond `counts` are ignored.
template <class BinOf>
std::uint64_t most_on_one(std::uint64_t first, std::uint64_t end, const BinOf& bin_of,
                          std::vector<std::uint8_t>& counts) {
  std::uint8_t most = 0;
  for (std::uint64_t i = first; i < end; ++i)
    if (const std::size_t bin = bin_of(i); bin < counts.size())
      most = std::max(most, ++counts[bin]);
  for (std::uint64_t i = first; i < end; ++i)
    if (const std::size_t bin = bin_of(i); bin < counts.size()) counts[bin] = 0;
  return most;
}

template <class BinOf>
std::uint64_t most_on_one_of_each_warp(std::uint64_t length, std::size_t bins,
                                       const BinOf& bin_of) {
  std::vector<std::uint8_t> counts(bins);
  std::uint64_t sum = 0;
  for (std::uint64_t first = 0; first < length; first += lanes)
    sum += most_on_one(first, std::min(first + lanes, length), bin_of, counts);
  return sum;
}

Summary::Letters letters_of(std::span<const std::uint8_t> data) {
  const reference::Binning binning;
  std::vector<std::uint32_t> bin_of(256);
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    bin_of[byte] = binning.bin_of(static_cast<std::uint8_t>(byte)).value_or(binning.bins);
  Summary::Letters letters{reference::histogram(data, binning)};
  for (const std::uint64_t count : letters.bins) letters.count += count;
  letters.lanes_on_one_bin = most_on_one_of_each_warp(
      data.size(), binning.bins, [&](std::uint64_t i) { return bin_of[data[i]]; });
  return letters;
}

}  // namespace

Summary summary_of(std::span<const std::uint8_t> data, std::uint32_t element_bytes) {
  assert((element_bytes == 1 || element_bytes == 2) && data.size() % element_bytes == 0);
  const auto value = [data, element_bytes](std::uint64_t i) -> std::size_t {
    return element_bytes == 1 ? data[i] : data[2 * i] + (std::size_t{data[2 * i + 1]} << 8);
  };
  Summary summary;
  summary.length = data.size() / element_bytes;
  summary.counts.resize(element_bytes == 1 ? 256 : 65536);
  for (std::uint64_t i = 0; i < summary.length; ++i) {
    ++summary.counts[value(i)];
    if (i == 0 || value(i) != value(i - 1)) ++summary.runs;
  }
  summary.distinct =
      summary.counts.size() - static_cast<std::uint64_t>(std::count(
                                  summary.counts.begin(), summary.counts.end(), std::uint64_t{0}));
  summary.warps = (summary.length + lanes - 1) / lanes;
  summary.lanes_on_one_value =
      most_on_one_of_each_warp(summary.length, summary.counts.size(), value);
  if (element_bytes == 1) summary.letters = letters_of(data);
  return summary;
}

std::vector<std::uint32_t> most_frequent(const Summary& summary, std::size_t most) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t value = 0; value < summary.counts.size(); ++value)
    if (summary.counts[value] > 0) values.push_back(value);
  std::stable_sort(values.begin(), values.end(), [&](std::uint32_t a, std::uint32_t b) {
    return summary.counts[a] > summary.counts[b];
  });
  values.resize(std::min(most, values.size()));
  return values;
}

}  // namespace histolab::datasets
