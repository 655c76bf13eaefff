// What a dataset looks like to a histogram kernel: how often each value occurs, and how much its neighbours agree.
//
// A warp is 32 neighbouring elements, as threads read them that take one each; the last one may be smaller. What a warp
// puts on one bin is the largest number of its lanes with the same bin: so many updates of one word meet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/histogram.h"

namespace histolab::datasets {

struct Summary {
  std::uint64_t length = 0;             // elements
  std::vector<std::uint64_t> counts;    // of each of the 256 or 65 536 values
  std::uint64_t distinct = 0;           // values that occur
  std::uint64_t runs = 0;               // of equal neighbours
  std::uint64_t warps = 0;              // length / 32, rounded up
  std::uint64_t lanes_on_one_value = 0; // what each warp puts on one value, added up

  // Of elements of one byte, as the letter labs count them: in the bins of reference::Binning{}, a-d to y-z.
  struct Letters {
    std::vector<std::uint64_t> bins;
    std::uint64_t count = 0;            // their sum
    std::uint64_t lanes_on_one_bin = 0; // what each warp puts on one bin, added up
  };
  std::optional<Letters> letters;
};

// Of `data.size() / element_bytes` elements; element_bytes is 1 or 2 and divides the size.
[[nodiscard]] Summary summary_of(std::span<const std::uint8_t> data, std::uint32_t element_bytes);

// The values that occur, the most frequent first and the smaller of two equals first; `most` of them at most.
[[nodiscard]] std::vector<std::uint32_t> most_frequent(const Summary& summary, std::size_t most);

}  // namespace histolab::datasets
