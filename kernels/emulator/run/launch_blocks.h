// Runs the blocks of a launch, one after another, with its observers.
#pragma once

#include <set>
#include <vector>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/module/module.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {

// All facts about a launch that are known before it begins.
struct LaunchPlan {
  const Module& module;
  Window& window;
  DeviceHeap& heap;
  const LaunchConfig& config;
  RawArguments arguments;
  const Options& options;
  const Region* first_input = nullptr;  // the first input among the arguments
  std::set<RaceName> undecided;         // see LaunchContext
};

// The result of a launch, and the undecided races for a second look at it.
struct Launched {
  Observation observation;
  std::set<RaceName> undecided;  // see LaunchContext
  std::uint64_t rows = 0;        // rows judged
  double slept_s = 0;            // time until its watcher allowed it to continue, in seconds
};

[[nodiscard]] Launched run_blocks(const LaunchPlan& plan);

// Returns the counters that describe the launch's shape. All others are 0.
[[nodiscard]] reference::Counters shape_of(const LaunchPlan& plan);

}  // namespace histolab::kernels::emulator
