#include "reference/task.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace histolab::reference {
namespace {

constexpr int lowest_sample = -128;

Values largest(std::span<const std::uint8_t> data, std::uint32_t bins) {
  Values values(bins, lowest_sample);
  for (std::size_t i = 0; i < data.size(); ++i)
    values[i % bins] =
        std::max(values[i % bins], static_cast<double>(int{data[i]} + lowest_sample));
  return values;
}

Values busiest_block(std::span<const std::uint8_t> data, const Binning& binning,
                     std::uint32_t block) {
  const std::size_t blocks = std::max<std::size_t>(1, (data.size() + block - 1) / block);
  std::vector<std::uint64_t> of_block(blocks);
  for (std::size_t i = 0; i < data.size(); ++i)
    if (binning.bin_of(data[i])) ++of_block[i / block];
  const auto most = std::max_element(of_block.begin(), of_block.end());
  Values values = {static_cast<double>(*most), static_cast<double>(most - of_block.begin()),
                   static_cast<double>(blocks)};
  values.resize(binning.bins);
  return values;
}

template <class T>
Values read(std::span<const std::uint8_t> output) {
  std::vector<T> words(output.size() / sizeof(T));
  std::memcpy(words.data(), output.data(), words.size() * sizeof(T));
  Values values(words.size());
  std::transform(words.begin(), words.end(), values.begin(),
                 [](T word) { return static_cast<double>(word); });
  return values;
}

template <class T>
void write(double value, std::span<std::uint8_t> output) {
  const T word = static_cast<T>(value);
  for (std::size_t at = 0; at + sizeof word <= output.size(); at += sizeof word)
    std::memcpy(output.data() + at, &word, sizeof word);
}

}  // namespace

std::uint32_t bytes_of(Word word) { return word == Word::u64 ? 8 : 4; }

bool Task::is_by_bin() const {
  return quantity != Quantity::largest && quantity != Quantity::tickets &&
         quantity != Quantity::busiest_block;
}

std::string Task::label(const Binning& binning, std::uint32_t bin) const {
  switch (quantity) {
    case Quantity::count:
    case Quantity::weighted:
    case Quantity::saturated:
    case Quantity::per_mille: return binning.label(bin);
    case Quantity::largest: return "channel " + std::to_string(bin);
    case Quantity::tickets: return "ticket " + std::to_string(bin);
    case Quantity::busiest_block:
      return bin == 0   ? "the most letters in a block"
             : bin == 1 ? "the block that has them"
                        : "the number of blocks";
  }
  return {};
}

Values Task::of_counts(std::span<const std::uint64_t> counts) const {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  Values values(counts.size());
  const auto value_of = [&](std::size_t bin) -> std::uint64_t {
    const std::uint64_t count = counts[bin];
    if (quantity == Quantity::weighted) return count * parameter;
    if (quantity == Quantity::saturated) return std::min(count, parameter);
    if (quantity == Quantity::per_mille) return all == 0 ? 0 : 1000 * count / all;
    if (quantity == Quantity::tickets) return bin < all ? 1 : 0;
    return count;
  };
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    values[bin] = static_cast<double>(value_of(bin));
  return values;
}

Values expected(const Task& task, std::span<const std::uint8_t> data, const Binning& binning,
                std::uint32_t block) {
  if (task.quantity == Quantity::largest) return largest(data, binning.bins);
  if (task.quantity == Quantity::busiest_block) return busiest_block(data, binning, block);
  return task.of_counts(histogram(data, binning));
}

Values values_of(Word word, std::span<const std::uint8_t> output) {
  switch (word) {
    case Word::u32: return read<std::uint32_t>(output);
    case Word::u64: return read<std::uint64_t>(output);
    case Word::f32: return read<float>(output);
  }
  return {};
}

void fill(Word word, double value, std::span<std::uint8_t> output) {
  switch (word) {
    case Word::u32: return write<std::uint32_t>(value, output);
    case Word::u64: return write<std::uint64_t>(value, output);
    case Word::f32: return write<float>(value, output);
  }
}

}  // namespace histolab::reference
