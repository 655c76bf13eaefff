#include "reference/histogram.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace histolab::reference {
namespace {

struct Values {
  std::uint64_t first, last;  // inclusive
};

Values values_of(Domain domain) { return domain == Domain::letters ? Values{'a', 'z'} : Values{0, 255}; }

std::string spelled(std::uint64_t value, Domain domain) {
  return domain == Domain::letters ? std::string(1, static_cast<char>(value)) : std::to_string(value);
}

}  // namespace

std::optional<std::uint32_t> Binning::bin_of(std::uint8_t byte) const {
  assert(bins >= 1 && width >= 1);
  const Values values = values_of(domain);
  if (byte < values.first || byte > values.last) return std::nullopt;
  const std::uint32_t bin = static_cast<std::uint32_t>(byte - values.first) / width;
  if (bin >= bins) return std::nullopt;
  return bin;
}

std::string Binning::label(std::uint32_t bin) const {
  assert(bin < bins && width >= 1);
  const Values values = values_of(domain);
  const std::uint64_t first = values.first + std::uint64_t{bin} * width;
  const std::uint64_t last = std::min(first + width - 1, values.last);
  if (first > values.last) return "nothing";
  if (first == last) return spelled(first, domain);
  return spelled(first, domain) + "-" + spelled(last, domain);
}

std::vector<std::uint64_t> histogram(std::span<const std::uint8_t> data, const Binning& binning) {
  // Equal neighbours would wait for each other's store in one table; four tables take turns.
  std::array<std::array<std::uint64_t, 256>, 4> counts{};
  const std::size_t whole = data.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4)
    for (std::size_t k = 0; k < 4; ++k) ++counts[k][data[i + k]];
  for (std::size_t i = whole; i < data.size(); ++i) ++counts[0][data[i]];

  std::vector<std::uint64_t> histo(binning.bins, 0);
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    if (const auto bin = binning.bin_of(static_cast<std::uint8_t>(byte)))
      for (const auto& table : counts) histo[*bin] += table[byte];
  return histo;
}

}  // namespace histolab::reference
