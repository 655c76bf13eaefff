// LaunchBuffers: the input and output of one launch, in memory that a device can access.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "kernels/buffer.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

class LaunchBuffers {
 public:
  // Copies the data, and initializes the output as the task requires. Returns an Error if there is
  // no memory left.
  static Result<LaunchBuffers> make(const LabSpec& lab, const LaunchShape& shape,
                                    const std::vector<std::uint8_t>& data);

  // Returns the kernel's arguments in order, for the same shape. They point into this object, so it
  // must not move while they are in use.
  [[nodiscard]] std::vector<kernels::Argument> arguments(const LabSpec& lab,
                                                         const LaunchShape& shape);
  // Returns the current values of the output's first result, one per bin.
  [[nodiscard]] reference::Values values() const;

 private:
  LaunchBuffers(kernels::Buffer input, kernels::Buffer output, reference::Word word,
                std::uint32_t bins)
      : input_(std::move(input)), output_(std::move(output)), word_(word), bins_(bins) {}
  kernels::Buffer input_, output_;
  reference::Word word_;
  std::uint32_t bins_;
};

}  // namespace histolab::grader
