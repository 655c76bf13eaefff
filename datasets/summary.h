// Summary of a dataset for histogram kernels: how often each value occurs, and how often neighbours
// are equal. A warp is 32 neighbouring elements, one per thread; the last warp may be smaller. The
// lanes on one bin are the largest number of lanes of a warp with the same bin, that is the number
// of updates that meet on one word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/histogram.h"

namespace histolab::datasets {

struct Summary {
  std::uint64_t length = 0;              // elements
  std::vector<std::uint64_t> counts;     // per value: 256 or 65 536
  std::uint64_t distinct = 0;            // different values
  std::uint64_t runs = 0;                // maximal runs of equal neighbours
  std::uint64_t warps = 0;               // length / 32, rounded up
  std::uint64_t lanes_on_one_value = 0;  // summed over the warps, with one bin per value

  // Letters as the letter labs count them, in the bins of reference::Binning{}: a-d to y-z.
  struct Letters {
    std::vector<std::uint64_t> bins;
    std::uint64_t count = 0;             // sum of the bins
    std::uint64_t lanes_on_one_bin = 0;  // summed over the warps
  };
  std::optional<Letters> letters;  // nullopt for elements of 16 bits
};

// Summarizes data.size() / element_bytes elements. element_bytes is 1 or 2 and must
// divide the size.
[[nodiscard]] Summary summary_of(std::span<const std::uint8_t> data, std::uint32_t element_bytes);

// Returns the values that occur, at most `most` of them, the most frequent first. Equally frequent
// values are in ascending order.
[[nodiscard]] std::vector<std::uint32_t> most_frequent(const Summary& summary, std::size_t most);

}  // namespace histolab::datasets
