#include "grader/read_so_far.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace histolab::grader {

ReadSoFar::ReadSoFar(std::span<const std::uint8_t> data, const reference::Binning& binning)
    : data_(data), marks_(data.size() / 64 + 1), histogram_(binning.bins) {
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    bin_of_[byte] = binning.bin_of(static_cast<std::uint8_t>(byte)).value_or(binning.bins);
}

void ReadSoFar::update(std::span<const std::uint64_t> marks) {
  for (std::size_t w = 0; w < std::min(marks.size(), marks_.size()); ++w) {
    for (std::uint64_t fresh = marks[w] & ~marks_[w]; fresh != 0; fresh &= fresh - 1) {
      const std::size_t at = 64 * w + static_cast<std::size_t>(std::countr_zero(fresh));
      if (at >= data_.size()) break;
      ++elements_;
      if (const std::uint32_t bin = bin_of_[data_[at]]; bin < histogram_.size()) ++histogram_[bin];
    }
    marks_[w] |= marks[w];
  }
}

}  // namespace histolab::grader
