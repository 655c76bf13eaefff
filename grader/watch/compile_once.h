// CompileOnce: a device that remembers the last source it compiled. Grading a kernel by its quick cases and then by all of
// them compiles it once.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::grader {

class CompileOnce final : public kernels::Device {
 public:
  explicit CompileOnce(kernels::Device& device) : device_(device) {}  // borrowed

  [[nodiscard]] std::string kind() const override { return device_.kind(); }
  [[nodiscard]] std::string name() const override { return device_.name(); }
  [[nodiscard]] Result<kernels::Compiled> compile(const kernels::Source& source, const std::vector<kernels::KernelSignature>& signatures) override;
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
                                                                 const std::vector<std::vector<kernels::Argument>>& launches,
                                                                 const kernels::Options& options) override {
    return device_.launch(compiled, config, launches, options);
  }

 private:
  struct Known {
    kernels::Source source;
    std::vector<std::string> declarations;  // of the signatures: a lab has always the same
    kernels::Compiled compiled;
  };
  kernels::Device& device_;
  std::mutex lock_;
  std::optional<Known> known_;
};

}  // namespace histolab::grader
