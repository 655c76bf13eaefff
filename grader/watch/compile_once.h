// CompileOnce: a device that caches its last compilations. A kernel graded by its quick cases and
// then by all cases is compiled once. The solutions that it is compared with are compiled once for
// all saves.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::grader {

// The few most recently used sources, compiled. Thread-safe.
class CompiledSources {
 public:
  struct Entry {
    kernels::Source source;
    std::vector<std::string> declarations;  // of the signatures; the same for each use of a lab
    kernels::Compiled compiled;
  };
  [[nodiscard]] std::optional<kernels::Compiled> find(const kernels::Source& source,
                                                      const std::vector<std::string>& declarations);
  void keep(Entry entry);

 private:
  std::mutex lock_;
  std::deque<Entry> entries_;  // the most recently used one is the last
};

class CompileOnce final : public kernels::Device {
 public:
  // Both arguments are borrowed.
  CompileOnce(kernels::Device& device, CompiledSources& known) : device_(device), known_(known) {}

  [[nodiscard]] std::string kind() const override { return device_.kind(); }
  [[nodiscard]] std::string name() const override { return device_.name(); }
  [[nodiscard]] Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override;
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    return device_.launch(compiled, config, launches, options);
  }

 private:
  kernels::Device& device_;
  CompiledSources& known_;
};

}  // namespace histolab::grader
