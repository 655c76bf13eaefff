// ParallelLaunch: the blocks of a launch on several processor cores, with the result that one core
// gives.
//
// Chunks of blocks run in forked children. See docs/emulator.md, "Room parallel".
#pragma once

#include <optional>
#include <vector>

#include "kernels/emulator/parallel/spread.h"
#include "kernels/emulator/run/launch_blocks.h"

namespace histolab::kernels::emulator {

// A buffer that is mapped in the window. `of_this_launch`: it is an argument of the current launch.
struct MappedBuffer {
  const Region* region = nullptr;
  int fd = -1;
  bool of_this_launch = false;
};

// Runs the launch. Returns nullopt if it has to run on one core; it has had no effect then.
[[nodiscard]] std::optional<Launched> launch_in_parallel(const LaunchPlan& plan,
                                                         const std::vector<MappedBuffer>& buffers,
                                                         const Spread& spread);

}  // namespace histolab::kernels::emulator
