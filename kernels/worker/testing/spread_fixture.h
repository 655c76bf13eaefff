// Launches that are spread over a given number of processes, whatever the machine has. The emulator
// runs without a worker process, in a child of the test that may crash.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/worker/testing/kernel_fixture.h"

namespace histolab::kernels::testing {

// A word argument of this value is replaced by the ID of the process that calls emulator::run.
inline constexpr std::uint32_t number_of_the_process = 0xfeedbeef;

struct SpreadRun {
  // The worker's answer without its time, and the outputs.
  std::string text;
  std::vector<unsigned> processes;  // per launch
  [[nodiscard]] bool was_spread() const {
    for (const unsigned used : processes)
      if (used > 1) return true;
    return false;
  }
};

// Returns nullopt if the source would be rejected.
[[nodiscard]] std::optional<Buffer> compile_to_object(const std::string& source);
// `processes` is the maximum number of processes; 1 uses only the caller's.
[[nodiscard]] SpreadRun run_spread(const Buffer& object, const std::string& kernel,
                                   const Launch& launch, unsigned processes);

}  // namespace histolab::kernels::testing
