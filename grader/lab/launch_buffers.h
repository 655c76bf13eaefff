// LaunchBuffers: the data and the output of one launch, where a device can reach them.
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
  // A copy of the data, and an output as the task begins with. Error: no memory left.
  static Result<LaunchBuffers> make(const LabSpec& lab, const LaunchShape& shape,
                                    const std::vector<std::uint8_t>& data);

  // The kernel's, in their order, for the shape that they were made for. They point into this,
  // which must not move as long as they are used.
  [[nodiscard]] std::vector<kernels::Argument> arguments(const LabSpec& lab,
                                                         const LaunchShape& shape);
  // What a launch has left in the output's first result, so far: one value a bin.
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
