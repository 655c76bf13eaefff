// LaunchBuffers: the data and the histogram of one launch, where a device can reach them.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/lab.h"
#include "kernels/buffer.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

class LaunchBuffers {
 public:
  // A copy of the data, and zeroed counts. Error: no memory left.
  static Result<LaunchBuffers> make(const LabSpec& lab, const std::vector<std::uint8_t>& data);

  // The kernel's for `length` elements, in their order. They point into this, which must not move as long as they are
  // used.
  [[nodiscard]] std::vector<kernels::Argument> arguments(const LabSpec& lab, std::uint64_t length);
  // What a launch has counted, so far.
  [[nodiscard]] std::vector<std::uint64_t> histogram() const;

 private:
  LaunchBuffers(kernels::Buffer input, kernels::Buffer output) : input_(std::move(input)), output_(std::move(output)) {}
  kernels::Buffer input_, output_;
};

}  // namespace histolab::grader
