// Compares the emulator with the model: one program, every schedule.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "kernels/device.h"
#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

struct Disagreement {
  // "histogram", "counters", "findings", ...: a smaller program must disagree about the same.
  std::string about;
  std::string detail;
  const char* known = nullptr;  // a documented limit of the emulator, as text
};

// Returns an Error if the machine is at fault. `right` means that the program has no mistake, so
// its result must be the sequential histogram.
[[nodiscard]] Result<std::optional<Disagreement>> compare(kernels::Device& device,
                                                          const Program& program, bool right);

// Removes everything from the program that the disagreement does not need.
[[nodiscard]] Program minimized(kernels::Device& device, const Program& program,
                                const Disagreement& disagreement, const std::atomic<bool>& stop);

}  // namespace histolab::fuzzer
