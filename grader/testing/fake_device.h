// FakeDevice: a device for the grader's tests. It runs no CUDA: the first line of a "kernel" says what it does.
//
//   // fake: right              counts as the truth does
//   // fake: lossy LINE         loses three of four updates; a data_race on histo at LINE
//   // fake: nothing            leaves the histogram as it was
//   // fake: endless LINE       ends in a step_limit finding
//   // fake: crash | timeout | machine | compile LINE | refused | out_of_bounds LINE
//   // fake: right export NAME VALUE        as right, with an export
//   // fake: right loads N      as right, with N sectors per request of global loads
//   // fake: right loads N at LINE          as well, all of them in LINE, and its threads read N bytes apart
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "reference/histogram.h"

namespace histolab::grader::testing {

class FakeDevice : public kernels::Device {
 public:
  explicit FakeDevice(reference::Binning binning = {}) : binning_(binning) {}
  [[nodiscard]] std::string kind() const override { return "fake"; }
  [[nodiscard]] std::string name() const override { return "tests only"; }
  [[nodiscard]] Result<kernels::Compiled> compile(const kernels::Source& source,
                                                  const std::vector<kernels::KernelSignature>& signatures) override;
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches, const kernels::Options& options) override;
  std::atomic<int> launches_made = 0;

 private:
  reference::Binning binning_;
};

}  // namespace histolab::grader::testing
