// LaunchContext: the facts about a launch that all its observers may use.
//
// Shapes, the window's regions, the sites of the loaded kernel, and the place where findings and counters go. It is
// filled before the launch; only `block`, the epochs and `barrier` change while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/launch/finding_log.h"
#include "kernels/emulator/code/site.h"
#include "kernels/emulator/memory/window.h"
#include "reference/counters.h"

namespace histolab::kernels::emulator {

class DeviceHeap;
class ControlFlow;
class LiveLaunch;
class Observer;
class ValueFlow;

// For one region, with every element that was updated, lowest index first.
struct RegionPressure {
  std::uint32_t region = 0;  // its id
  reference::AtomicPressure pressure;
};

struct LaunchContext {
  LaunchConfig config;
  const Window* window = nullptr;
  SiteTable* sites = nullptr;
  std::uint64_t constants_end = 0;  // Module's
  DeviceHeap* heap = nullptr;      // nullptr: the kernel allocates nothing
  bool has_fresh_memory = false;  // a buffer that begins unset, or the heap
  const ControlFlow* flow = nullptr;
  bool has_compare_and_swap = false, has_warp_sync = false, has_fence = false;  // does the kernel call one anywhere?
  bool in_order = false;  // observers are shown each lane's access as it is made, too
  bool shows = false;     // each lane's access is shown to the runner as it is made: in order, or for what comes here
  bool debugged = false;  // Options::debugged
  bool cooperative = false;  // all blocks are resident: the kernel waits at grid barriers
  LiveLaunch* live = nullptr;              // the watcher; usually null
  const Region* watched_input = nullptr;  // the launch's first
  std::uint32_t recorded_accesses = 0, recorded_steps = 0;  // at most, in what comes here
  std::vector<RecordedAccess>* accesses = nullptr;
  std::vector<RecordedStep>* steps = nullptr;
  std::vector<Observer*> observers;
  FindingLog* findings = nullptr;
  reference::Counters* counters = nullptr;
  std::vector<reference::LineCounters>* lines = nullptr;
  std::vector<reference::AtomicPressure>* pressure = nullptr;
  std::vector<RegionPressure>* whole_pressure = nullptr;  // the same, uncut, for who adds up parts of a launch
  const std::vector<Origin>* origins = nullptr;           // of the sites
  std::function<int(std::uint64_t)> line_of_instruction;  // of the student's file; 0 unknown
  std::function<ValueFlow&()> value_flow;  // of the kernel, worked out when it is first asked for; empty: unknown
  std::function<std::uint64_t(std::uint32_t)> stack_of;   // the number of a lane's stack (Window::stack_top)

  // Possible data races between writers of one value: only a second run, in order, can decide. In
  // that run, those that have not shown two values yet.
  std::set<RaceName> undecided;
  bool decided = false;  // nothing more can come out of this launch

  std::uint32_t block = 0;        // linear index of the block that runs
  std::uint32_t epoch = 0;        // counts up at each block and each barrier; never 0 while a block runs
  std::uint32_t block_epoch = 0;  // the epoch with which this block began, or continued behind a grid barrier
  SiteNumber barrier = 0;         // where the barrier stands that is about to open

  [[nodiscard]] ThreadId thread_id(std::uint32_t lane) const { return thread_id(block, lane); }
  [[nodiscard]] ThreadId thread_id(std::uint32_t in_block, std::uint32_t lane) const {
    const auto place = [](std::uint32_t linear, const Dim3& shape) {
      return Dim3{linear % shape.x, linear / shape.x % shape.y, linear / shape.x / shape.y};
    };
    return {place(in_block, config.grid), place(lane, config.block)};
  }
  [[nodiscard]] int line(SiteNumber site) const { return (*sites)[site].line; }
};

}  // namespace histolab::kernels::emulator
