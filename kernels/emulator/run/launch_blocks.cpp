#include "kernels/emulator/run/launch_blocks.h"

#include <algorithm>
#include <optional>

#include "kernels/emulator/code/value_flow.h"
#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/launch/live_launch.h"
#include "kernels/emulator/messages/source_files.h"
#include "kernels/emulator/run/signals.h"

namespace histolab::kernels::emulator {

reference::Counters shape_of(const LaunchPlan& plan) {
  reference::Counters counters;
  counters.blocks = plan.config.grid.count();
  counters.block_size = plan.config.block.count();
  counters.threads = plan.config.grid.count() * plan.config.block.count();
  counters.static_shared_bytes = plan.module.static_shared_bytes;
  counters.dynamic_shared_bytes = plan.config.dynamic_shared_bytes;
  return counters;
}

Launched run_blocks(const LaunchPlan& plan) {
  const Module& module = plan.module;
  Launched launched;
  Observation& observation = launched.observation;
  observation.counters = shape_of(plan);
  FindingLog findings;
  LaunchContext context;
  context.config = plan.config;
  context.window = &plan.window;
  context.sites = module.sites.get();
  context.constants_end = module.constants_end;
  context.flow = &module.flow;
  context.has_compare_and_swap = module.has_compare_and_swap;
  context.has_warp_sync = module.has_warp_sync;
  context.has_fence = module.has_fence;
  context.cooperative = module.is_cooperative;
  if (module.allocates) context.heap = &plan.heap;
  const auto begins_unset = [](const Region& region) { return region.written != nullptr; };
  context.has_fresh_memory =
      module.allocates || std::ranges::any_of(plan.window.regions(), begins_unset);
  context.in_order = module.in_order;
  context.shows = module.shows;
  std::optional<LiveLaunch> live;
  if (plan.options.live != nullptr) context.live = &live.emplace(*plan.options.live);
  context.watched_input = plan.first_input;
  context.recorded_accesses = std::min(plan.options.recorded_accesses, Options::most_recorded);
  context.recorded_steps = std::min(plan.options.recorded_steps, Options::most_recorded);
  context.recorded_threads = plan.options.recorded_threads;
  context.accesses = &observation.accesses;
  context.steps = &observation.steps;
  context.undecided = plan.undecided;
  context.findings = &findings;
  context.counters = &observation.counters;
  context.lines = &observation.lines;
  context.pressure = &observation.pressure;
  context.origins = &module.places.origins;
  context.line_of_instruction = [&](std::uint64_t instruction) {
    return module.line_of(instruction, plan.window);
  };
  std::optional<ValueFlow> value_flow;
  context.value_flow = [&]() -> ValueFlow& {
    if (value_flow) return *value_flow;
    const auto entry = reinterpret_cast<std::uint64_t>(module.entry) - plan.window.begin();
    return value_flow.emplace(module.text,
                              decode_flow(module.text, static_cast<std::uint32_t>(entry)),
                              module.calls, *module.sites, module.barriers);
  };
  Observers which = plan.options.observers;
  if (plan.options.block_order == BlockOrder::interleaved)
    which.races = which.initialization = false;
  auto observers = make_observers(which, context);
  for (const auto& observer : observers) context.observers.push_back(observer.get());
  std::optional<DebugRegions> shown;
  if (plan.options.debugged) {
    shown.emplace(plan.window);
    context.debugged = true;
    findings.on_new = [&](Finding finding) {
      name_files(finding, module.places.files);
      show_to_debugger(finding);
    };
  }
  const KernelCall call{module.entry, plan.arguments, module.is_shallow};
  BlockRunner runner(context, plan.options, call);
  LaunchEnd end;
  {
    const Signals signals(runner, !context.debugged);
    end = runner.run();
  }
  for (const auto& observer : observers) observer->on_launch_end();
  findings.settle();
  observation.ending = end.ending;
  observation.ending_detail = std::move(end.detail);
  observation.findings = findings.findings();
  observation.printed = runner.printed();
  launched.undecided = context.in_order ? std::move(context.undecided) : findings.undecided();
  launched.rows = end.rows;
  if (live) launched.slept_s = live->slept().count();
  return launched;
}

}  // namespace histolab::kernels::emulator
