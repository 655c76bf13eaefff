// Task: the expected output of a kernel, as a pure function of its data and the launch's shape.
//
// Most kernels count. The others are exercises on atomic operations (lab 11). Their results do not
// depend on the order of the threads: sums of floats are exact, because all values are whole
// numbers below 2^24.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/histogram.h"

namespace histolab::reference {

enum class Quantity {
  count,      // number of samples in each bin
  weighted,   // the same, each sample worth `parameter`
  saturated,  // the same, but no counter exceeds `parameter`
  // Element i belongs to bin i % bins. The result is the largest (byte - 128), -128
  // for an empty bin.
  largest,
  // Every sample with a bin takes a ticket, from 0 on. output[t]: how often ticket t
  // was handed out.
  tickets,
  // Element i belongs to block i / block size. [0]: most counted samples in a block; [1]: first
  // block with that number; [2]: number of blocks.
  busiest_block,
  per_mille,  // 1000 * count / all counted samples, rounded down; 0 if nothing is counted
};

// One element of the output.
enum class Word { u32, u64, f32 };
[[nodiscard]] std::uint32_t bytes_of(Word word);

struct Task {
  Quantity quantity = Quantity::count;
  Word word = Word::u32;
  std::uint64_t parameter = 1;  // of weighted and saturated

  // Returns the value of each output element before the launch.
  [[nodiscard]] double initial() const { return quantity == Quantity::largest ? -128 : 0; }
  // Returns the output for these counts. Not for `largest` and `busiest_block`.
  [[nodiscard]] std::vector<double> of_counts(std::span<const std::uint64_t> counts) const;
  // Returns true if the output starts with zeros and follows from the counts alone.
  [[nodiscard]] bool can_be_timed() const {
    return quantity != Quantity::largest && quantity != Quantity::busiest_block;
  }
  // Returns true if the length of the output is independent of the kernel's number of bins.
  [[nodiscard]] bool has_free_length() const { return quantity == Quantity::tickets; }
  // Returns true if output[bin] belongs to a bin of samples.
  [[nodiscard]] bool is_by_bin() const;
  // Returns the noun for output elements.
  [[nodiscard]] const char* results() const { return is_by_bin() ? "bins" : "values"; }
  // Returns a name of output[bin] for people: the bin's samples ("m-p") or "ticket 17".
  [[nodiscard]] std::string label(const Binning& binning, std::uint32_t bin) const;
};

// Output values, binning.bins elements. They are whole numbers below 2^53, so a double is exact.
using Values = std::vector<double>;

// Returns the expected output. `block` is the number of threads per block. Only busiest_block uses
// it; its grid has max(1, ceil(samples / block)) blocks.
[[nodiscard]] Values expected(const Task& task, std::span<const std::uint8_t> data,
                              const Binning& binning, std::uint32_t block);

// values_of() converts the output's bytes to values; an incomplete word at the end is ignored.
// fill() writes `value` to every word. A float that is not a whole number is kept unchanged.
[[nodiscard]] Values values_of(Word word, std::span<const std::uint8_t> output);
void fill(Word word, double value, std::span<std::uint8_t> output);

}  // namespace histolab::reference
