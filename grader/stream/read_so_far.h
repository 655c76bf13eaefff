// ReadSoFar: which elements of its input a launch has read, and their true histogram.
//
// Only the marks come from the process that runs the kernel; what they mark is our own copy of the
// data. An element that was read stays so, whatever the marks say later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/histogram.h"

namespace histolab::grader {

class ReadSoFar {
 public:
  // `data` is borrowed; the binning says how large an element is.
  ReadSoFar(std::span<const std::uint8_t> data, const reference::Binning& binning);

  // Bit i of word w: byte 64 * w + i was read (kernels::Live::bytes_read). Costs what is new.
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
