// Launches in tests that are spread over processes, or are not, whatever the machine has: the emulator without a worker process
// around it, but in a child of the test, which survives all that a kernel does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/worker/testing/kernel_fixture.h"

namespace histolab::kernels::testing {

// A word argument of this value becomes the number of the process in which emulator::run is called.
inline constexpr std::uint32_t number_of_the_process = 0xfeedbeef;

struct SpreadRun {
  std::string text;                 // all that can be told of it: what the worker would answer, but for the time; and the outputs
  std::vector<unsigned> processes;  // of each launch
  [[nodiscard]] bool was_spread() const {
    for (const unsigned used : processes)
      if (used > 1) return true;
    return false;
  }
};

// nullopt: the source is none that would be run.
[[nodiscard]] std::optional<Buffer> compile_to_object(const std::string& source);
// `processes`: 1 for none but the caller's.
[[nodiscard]] SpreadRun run_spread(const Buffer& object, const std::string& kernel, const Launch& launch, unsigned processes);

}  // namespace histolab::kernels::testing
