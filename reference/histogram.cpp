#include "reference/histogram.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace histolab::reference {
namespace {

struct SampleRange {
  std::uint64_t first, last;  // inclusive
};

SampleRange range_of(Domain domain) {
  switch (domain) {
    case Domain::letters: return {'a', 'z'};
    case Domain::bytes: return {0, 0xff};
    case Domain::shorts: return {0, 0xffff};
  }
  return {};
}

std::string spelled(std::uint64_t value, Domain domain) {
  return domain == Domain::letters ? std::string(1, static_cast<char>(value))
                                   : std::to_string(value);
}

// Counts how often each value occurs. `bytes` is the size of a sample.
template <std::uint32_t bytes>
std::vector<std::uint64_t> count_values(std::span<const std::uint8_t> data) {
  // With one table, an increment would wait for the store of an equal neighbour. So four tables are
  // used in turn.
  constexpr std::size_t tables = 4, values = std::size_t{1} << (8 * bytes);
  std::vector<std::uint64_t> counts(tables * values);
  const std::size_t samples = data.size() / bytes, whole = samples / tables * tables;
  for (std::size_t i = 0; i < whole; i += tables)
    for (std::size_t k = 0; k < tables; ++k)
      ++counts[k * values + sample_at(data, (i + k) * bytes, bytes)];
  for (std::size_t i = whole; i < samples; ++i) ++counts[sample_at(data, i * bytes, bytes)];
  for (std::size_t k = 1; k < tables; ++k)
    for (std::size_t value = 0; value < values; ++value)
      counts[value] += counts[k * values + value];
  counts.resize(values);
  return counts;
}

}  // namespace

std::string_view name(Domain domain) {
  switch (domain) {
    case Domain::letters: return "letters";
    case Domain::bytes: return "bytes";
    case Domain::shorts: return "shorts";
  }
  return {};
}

std::optional<std::uint32_t> Binning::bin_of(std::uint32_t sample) const {
  assert(bins >= 1 && width >= 1);
  const SampleRange values = range_of(domain);
  if (sample < values.first || sample > values.last) return std::nullopt;
  const std::uint32_t bin = static_cast<std::uint32_t>(sample - values.first) / width;
  if (bin >= bins) return std::nullopt;
  return bin;
}

std::uint32_t Binning::width_for(std::uint32_t number_of_bins) const {
  const SampleRange values = range_of(domain);
  const std::uint64_t all = values.last - values.first + 1;
  return static_cast<std::uint32_t>((all + number_of_bins - 1) / number_of_bins);
}

std::string Binning::label(std::uint32_t bin) const {
  assert(bin < bins && width >= 1);
  const SampleRange values = range_of(domain);
  const std::uint64_t first = values.first + std::uint64_t{bin} * width;
  const std::uint64_t last = std::min(first + width - 1, values.last);
  if (first > values.last) return "nothing";
  if (first == last) return spelled(first, domain);
  return spelled(first, domain) + "-" + spelled(last, domain);
}

std::vector<std::uint64_t> histogram(std::span<const std::uint8_t> data, const Binning& binning) {
  const std::vector<std::uint64_t> counts =
      binning.sample_bytes() == 1 ? count_values<1>(data) : count_values<2>(data);
  std::vector<std::uint64_t> histo(binning.bins, 0);
  for (std::uint32_t value = 0; value < counts.size(); ++value)
    if (const auto bin = binning.bin_of(value)) histo[*bin] += counts[value];
  return histo;
}

}  // namespace histolab::reference
