// ReadSoFar: the elements of its input that a launch has read so far, and their true histogram.
//
// The process that runs the kernel supplies only the marks; the data are our own copy. An element
// that was read once stays read, even if its mark is missing later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/histogram.h"

namespace histolab::grader {

class ReadSoFar {
 public:
  // `data` must outlive this object. The binning sets the size of an element.
  ReadSoFar(std::span<const std::uint8_t> data, const reference::Binning& binning);

  // Bit i of word w is set if byte 64 * w + i was read (kernels::Live::bytes_read). The cost is
  // proportional to the number of new marks.
  void update(std::span<const std::uint64_t> marks);

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  [[nodiscard]] const std::vector<std::uint64_t>& histogram() const { return histogram_; }

 private:
  std::span<const std::uint8_t> data_;
  reference::Binning binning_;
  std::vector<std::uint64_t> marks_;
  std::uint64_t elements_ = 0;
  std::vector<std::uint64_t> histogram_;
};

}  // namespace histolab::grader
