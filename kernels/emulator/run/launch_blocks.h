// Runs some of a launch's blocks in this process, one after another, with observers of their own.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "kernels/emulator/run/block_runner.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/module/module.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// All facts about a launch that are known before it begins.
struct LaunchPlan {
  const Module& module;
  Window& window;
  DeviceHeap& heap;
  const LaunchConfig& config;
  std::array<KernelCall::Word, 6> arguments{};
  const Options& options;
  const Region* first_input = nullptr;  // of the arguments
  std::set<RaceName> undecided;  // see LaunchContext
};

// The result of a launch, or of some of its blocks, and the questions for a second look at it.
struct Launched {
  Observation observation;
  std::set<RaceName> undecided;  // see LaunchContext
  std::uint64_t rows = 0;
  double slept_s = 0;      // until it was allowed to go on
  unsigned processes = 1;  // that ran its blocks
};

// An observer that comes after all others, and must not be deleted before the launch has ended.
using MakeObserver = std::function<std::unique_ptr<Observer>(LaunchContext&)>;

[[nodiscard]] Launched run_blocks(const LaunchPlan& plan, BlockRange blocks, const MakeObserver& one_more = {},
                                  std::vector<RegionPressure>* whole_pressure = nullptr);

// Counters of a launch in which nothing has happened yet: its shape.
[[nodiscard]] reference::Counters shape_of(const LaunchPlan& plan);

}  // namespace histolab::kernels::emulator
