#include "grader/stream/read_so_far.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace histolab::grader {

ReadSoFar::ReadSoFar(std::span<const std::uint8_t> data, const reference::Binning& binning)
    : data_(data), binning_(binning), marks_(data.size() / 64 + 1), histogram_(binning.bins) {}

void ReadSoFar::update(std::span<const std::uint64_t> marks) {
  const std::uint32_t bytes = binning_.sample_bytes();
  for (std::size_t w = 0; w < std::min(marks.size(), marks_.size()); ++w) {
    for (std::uint64_t fresh = marks[w] & ~marks_[w]; fresh != 0; fresh &= fresh - 1) {
      const std::size_t at = 64 * w + static_cast<std::size_t>(std::countr_zero(fresh));
      if (at + bytes > data_.size()) break;
      if (at % bytes != 0) continue;  // an element counts as read if its first byte was
      ++elements_;
      if (const auto bin = binning_.bin_of(reference::sample_at(data_, at, bytes)))
        ++histogram_[*bin];
    }
    marks_[w] |= marks[w];
  }
}

}  // namespace histolab::grader
