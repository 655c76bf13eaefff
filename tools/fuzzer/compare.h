// The emulator against the model: one program, every schedule.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "kernels/device.h"
#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

struct Disagreement {
  // "histogram", "counters", "findings", ...: what a smaller program must disagree about too.
  std::string about;
  std::string detail;
  const char* known = nullptr;  // a limit of the emulator that its documentation tells, in words
};

// Error: the machine's fault. `right`: made without a mistake, so the sequential histogram is what
// must come out.
[[nodiscard]] Result<std::optional<Disagreement>> compare(kernels::Device& device,
                                                          const Program& program, bool right);

// The same program without what the disagreement does not need.
[[nodiscard]] Program minimized(kernels::Device& device, const Program& program,
                                const Disagreement& disagreement, const std::atomic<bool>& stop);

}  // namespace histolab::fuzzer
