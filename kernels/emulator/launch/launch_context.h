// LaunchContext: the facts about a launch that all its observers may use.
//
// It has the shapes, the window's regions, the sites of the loaded kernel, and the destinations of
// findings and counters. It is filled before the launch. Only `undecided`, `decided`, `block`, the
// epochs and `barrier` change while the launch runs.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/code/site.h"
#include "kernels/emulator/launch/finding_log.h"
#include "kernels/emulator/memory/window.h"
#include "reference/counters.h"

namespace histolab::kernels::emulator {

class DeviceHeap;
class ControlFlow;
class LiveLaunch;
class Observer;
class ValueFlow;

struct LaunchContext {
  LaunchConfig config;
  const Window* window = nullptr;
  SiteTable* sites = nullptr;
  std::uint64_t constants_end = 0;  // see Module
  // Null if the kernel does not allocate.
  DeviceHeap* heap = nullptr;
  // There is a buffer that begins unset, or a heap.
  bool has_fresh_memory = false;
  const ControlFlow* flow = nullptr;
  // The kernel calls such a function somewhere.
  bool has_compare_and_swap = false, has_warp_sync = false, has_fence = false;
  // Observers also see each lane's access when it is made (on_lane_access).
  bool in_order = false;
  // The runner sees each lane's access when it is made, because the launch is in order, watched or
  // recorded.
  bool shows = false;
  bool debugged = false;  // Options::debugged
  // The kernel waits at grid barriers, so all blocks are resident.
  bool cooperative = false;
  LiveLaunch* live = nullptr;             // the watcher, usually null
  const Region* watched_input = nullptr;  // the first input of the launch
  // The most entries in `accesses` and in `steps`.
  std::uint32_t recorded_accesses = 0, recorded_steps = 0;
  std::span<const std::uint64_t> recorded_threads;  // as in Options
  std::vector<RecordedAccess>* accesses = nullptr;
  std::vector<RecordedStep>* steps = nullptr;
  std::vector<Observer*> observers;
  FindingLog* findings = nullptr;
  reference::Counters* counters = nullptr;
  std::vector<reference::LineCounters>* lines = nullptr;
  std::vector<reference::AtomicPressure>* pressure = nullptr;
  const std::vector<Origin>* origins = nullptr;  // origins of the sites
  // Returns the line in the student's file of the instruction at this address. Returns 0 if
  // unknown.
  std::function<int(std::uint64_t)> line_of_instruction;
  // Returns the value flow of the kernel, which is computed at the first call. Empty if unknown.
  std::function<ValueFlow&()> value_flow;
  // Returns the number of a lane's stack (Window::stack_top).
  std::function<std::uint64_t(std::uint32_t)> stack_of;

  // Possible data races between writers of one value. Only a second run, in order, can decide them.
  // In that run: those that have not shown two different values yet.
  std::set<RaceName> undecided;
  bool decided = false;  // the rest of the launch cannot change its result

  std::uint32_t block = 0;  // linear index of the block that runs
  // Increases at each block and each barrier. Never 0 while a block runs.
  std::uint32_t epoch = 0;
  // The epoch in which this block began, or continued after a grid barrier.
  std::uint32_t block_epoch = 0;
  SiteNumber barrier = 0;  // site of the barrier that is about to open

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
