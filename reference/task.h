// Task: what a kernel has to leave in its output, as a pure function of its data and of the launch's shape.
//
// Most kernels count; the others are the exercises on atomic operations (lab 11), whose results do not depend on the order
// in which threads come: float sums are of whole numbers below 2^24, so that they are exact.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/histogram.h"

namespace histolab::reference {

enum class Quantity {
  count,          // how many samples fall in each bin
  weighted,       // the same, each sample worth `parameter`
  saturated,      // the same, but no counter goes beyond `parameter`
  largest,        // element i belongs to bin i % bins; the largest (byte - 128) there, or -128 where there is none
  tickets,        // every sample that falls in a bin takes a ticket, from 0 on; output[t]: how often ticket t was handed out
  busiest_block,  // element i belongs to block i / block size; [0] the most counted samples in one block, [1] the first block
                  // that has so many, [2] blocks
  per_mille,      // 1000 * count / all counted samples, rounded down; 0 where nothing is counted
};

// One element of the output.
enum class Word { u32, u64, f32 };
[[nodiscard]] std::uint32_t bytes_of(Word word);

struct Task {
  Quantity quantity = Quantity::count;
  Word word = Word::u32;
  std::uint64_t parameter = 1;  // weighted, saturated

  // What each element of the output holds before the launch.
  [[nodiscard]] double initial() const { return quantity == Quantity::largest ? -128 : 0; }
  // The output that belongs to these counts, of a task that is about counts: not largest, not busiest_block.
  [[nodiscard]] std::vector<double> of_counts(std::span<const std::uint64_t> counts) const;
  // Does the output begin with zeros, and follow from the counts alone?
  [[nodiscard]] bool can_be_timed() const { return quantity != Quantity::largest && quantity != Quantity::busiest_block; }
  // May the output have any number of elements, whatever the kernel knows of bins?
  [[nodiscard]] bool has_free_length() const { return quantity == Quantity::tickets; }
  // Does output[bin] belong to a bin of samples?
  [[nodiscard]] bool is_by_bin() const;
  // What its outputs are called.
  [[nodiscard]] const char* results() const { return is_by_bin() ? "bins" : "values"; }
  // What a person calls output[bin]: the bin's samples, or "ticket 17".
  [[nodiscard]] std::string label(const Binning& binning, std::uint32_t bin) const;
};

// Values of binning.bins elements; whole numbers below 2^53, which a double holds exactly.
using Values = std::vector<double>;

// `block`: threads in a block, of busiest_block only, whose grid is ceil(samples / block) and at least 1.
[[nodiscard]] Values expected(const Task& task, std::span<const std::uint8_t> data, const Binning& binning, std::uint32_t block);

// The output's bytes as values, and values as bytes. What is no whole number stays what it is.
[[nodiscard]] Values values_of(Word word, std::span<const std::uint8_t> output);
void fill(Word word, double value, std::span<std::uint8_t> output);

}  // namespace histolab::reference
