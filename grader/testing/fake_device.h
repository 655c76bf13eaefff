// FakeDevice: a device for the grader's tests. It runs no CUDA: the first line of a "kernel" states
// its behaviour.
//
//   // fake: right              counts as the truth does
//   // fake: lossy LINE         loses three of four updates; a data_race on histo at LINE
//   // fake: nothing            leaves the histogram as it was
//   // fake: repeats            each thread counts all elements
//   // fake: keeps              correct in the first launch; a later one counts nothing, since
//   next_part has another value
//   // fake: ordered            correct in the default order of threads and blocks, else counts too
//   few
//   // fake: keeps_lock 3       ... a later one is a deadlock at line 3, since `lock` has another
//   value
//   // fake: endless LINE       ends in a step_limit finding
//   // fake: crash | timeout | machine | compile LINE | refused | out_of_bounds LINE
//   // fake: no_shared_memory LINE          an access beyond a shared array that has no elements
//   // fake: right export NAME VALUE        like right, with an export
//   // fake: right loads N      like right, with N sectors per request of global loads
//   // fake: right prints N     like right, and prints N bytes in each launch
//   // fake: right loads N at LINE          the loads are all in LINE, and its threads read N bytes
//   apart
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
  [[nodiscard]] Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override;
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override;
  std::atomic<int> launches_made = 0;

 private:
  reference::Binning binning_;
};

// FakeDevice as a timed device: a kernel that "loads N" always takes N ms.
class FakeGpu final : public kernels::TimedDevice {
 public:
  explicit FakeGpu(std::string name = "fake GPU") : name_(std::move(name)) {}
  [[nodiscard]] std::string kind() const override { return "gpu"; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string driver() const override { return "1.0"; }
  [[nodiscard]] std::uint32_t multiprocessors() const override { return 7; }
  [[nodiscard]] Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override {
    return device_.compile(source, signatures);
  }
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    return device_.launch(compiled, config, launches, options);
  }
  [[nodiscard]] Result<std::vector<kernels::TimedKernel>> time(
      const kernels::TimingPlan& plan) override;

 private:
  FakeDevice device_;
  std::string name_;
};

}  // namespace histolab::grader::testing
