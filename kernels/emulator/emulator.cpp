#include "kernels/emulator/emulator.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "kernels/emulator/block_runner.h"
#include "kernels/emulator/device_heap.h"
#include "kernels/emulator/launch_limits.h"
#include "kernels/emulator/messages.h"
#include "kernels/emulator/module.h"
#include "kernels/emulator/signals.h"

namespace histolab::kernels::emulator {
namespace {

// Runs `work` on a thread whose stack, and so whose thread-local storage, lies beside the window.
Status on_window_thread(const Window& window, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const std::span<std::uint8_t> stack = window.host_stack();
  pthread_attr_setstack(&attributes, stack.data(), stack.size());
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  // The timer's signal is for that thread alone.
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGPROF);
  const std::function<void()> with_timer = [&] {
    pthread_sigmask(SIG_UNBLOCK, &timer, nullptr);
    work();
  };
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &timer, &before);
  const int error = pthread_create(&thread, &attributes, body, const_cast<std::function<void()>*>(&with_timer));
  pthread_attr_destroy(&attributes);
  if (error == 0) pthread_join(thread, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) return Error{fmt::format("cannot start the thread that runs the kernel: {}", std::strerror(error))};
  return Done{};
}

// What has been written to the buffers that begin unset, by descriptor: they are the same memory in each launch.
using Scratch = std::map<int, std::shared_ptr<WrittenBytes>>;

Result<std::array<KernelCall::Word, 6>> map_arguments(const std::vector<MappedArgument>& arguments, Window& window, Scratch& scratch) {
  std::array<KernelCall::Word, 6> values{};
  if (arguments.size() > values.size()) return Error{"a kernel may have at most 6 parameters"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const MappedArgument& argument = arguments[i];
    if (argument.kind == Argument::Kind::word) {
      values[i] = argument.word;
      continue;
    }
    const bool output = argument.kind == Argument::Kind::output;
    const auto role = output ? Region::Role::output : Region::Role::input;
    const auto region = window.map_buffer(role, argument.name, argument.element_bytes, argument.bytes, argument.fd, output);
    if (!region) return region.error();
    values[i] = (*region)->address();
    if (argument.initialized || !output || argument.bytes == 0) continue;
    std::shared_ptr<WrittenBytes>& written = scratch[argument.fd];
    if (written == nullptr) {
      written = std::make_shared<WrittenBytes>(argument.bytes);
      std::memset((*region)->begin, 0xcd, argument.bytes);
    }
    window.begins_unset(**region, written);
  }
  return values;
}

Observation launch_once(const Module& module, Window& window, DeviceHeap& heap, const LaunchConfig& config, const std::array<KernelCall::Word, 6>& arguments,
                        const Options& options) {
  const reference::DeviceProfile* profile = reference::find_device_profile(config.profile);
  if (profile == nullptr) profile = &reference::device_profiles.front();
  Observation observation;
  observation.counters.blocks = config.grid.count();
  observation.counters.block_size = config.block.count();
  observation.counters.threads = config.grid.count() * config.block.count();
  observation.counters.static_shared_bytes = module.static_shared_bytes;
  observation.counters.dynamic_shared_bytes = config.dynamic_shared_bytes;
  if (std::optional<Finding> refused = refuse_launch(config, {module.static_shared_bytes, module.max_threads_per_block}, *profile)) {
    observation.ending = Ending::stopped;
    observation.ending_detail = refused->message;
    observation.findings.push_back(std::move(*refused));
    return observation;
  }
  FindingLog findings;
  LaunchContext context;
  context.config = config;
  context.window = &window;
  context.sites = module.sites.get();
  context.flow = &module.flow;
  context.has_compare_and_swap = module.has_compare_and_swap;
  context.has_warp_sync = module.has_warp_sync;
  if (module.allocates) context.heap = &heap;
  context.has_fresh_memory = module.allocates || std::any_of(window.regions().begin(), window.regions().end(), [](const Region& r) { return r.written != nullptr; });
  context.findings = &findings;
  context.counters = &observation.counters;
  context.line_of_instruction = [&](std::uint64_t instruction) { return module.line_of(instruction, window); };
  const auto observers = make_observers(options.observers, context);
  for (const auto& observer : observers) context.observers.push_back(observer.get());
  const KernelCall call{reinterpret_cast<decltype(KernelCall::entry)>(const_cast<void*>(module.entry)), arguments};
  const auto begin = std::chrono::steady_clock::now();
  BlockRunner runner(context, options, call);
  LaunchEnd end;
  {
    const Signals signals(runner);
    end = runner.run();
  }
  observation.host_elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  findings.settle();
  observation.ending = end.ending;
  observation.ending_detail = std::move(end.detail);
  observation.findings = findings.findings();
  observation.printed = runner.printed();
  return observation;
}

}  // namespace

Result<ModuleInfo> inspect(std::span<const std::uint8_t> object, const KernelSignature& signature) {
  Result<Window> window = Window::reserve();
  if (!window) return window.error();
  Result<ModuleInfo> result = Error{"the kernel was not loaded"};
  const Status ran = on_window_thread(*window, [&] {
    Result<Module> module = Module::load(object, signature, *window, {.name_variables = true});
    if (module) result = ModuleInfo{module->diagnostics, module->exports, module->static_shared_bytes, module->variables};
    else result = module.error();
  });
  if (!ran) return ran.error();
  return result;
}

Result<std::vector<Observation>> run(std::span<const std::uint8_t> object, const KernelSignature& signature, const LaunchConfig& config,
                                     const std::vector<std::vector<MappedArgument>>& launches, const Options& options) {
  Result<Window> window = Window::reserve();
  if (!window) return window.error();
  // What stays when the thread ends without coming back: only a kernel's own system call can do that.
  Observation gone;
  gone.ending = Ending::crashed;
  gone.ending_detail = "the kernel ended the thread that ran it";
  Result<std::vector<Observation>> result = std::vector<Observation>{gone};
  const Status ran = on_window_thread(*window, [&] {
    const ModuleOptions module_options{options.schedule != Schedule::run_to_barrier, config.dynamic_shared_bytes};
    Result<Module> module = Module::load(object, signature, *window, module_options);
    if (!module) return void(result = module.error());
    if (module->entry == nullptr) return void(result = Error{"a kernel that cannot be launched was launched"});
    std::vector<Observation> observations;
    DeviceHeap heap(*window);
    Scratch scratch;
    for (const auto& arguments : launches) {
      const auto values = map_arguments(arguments, *window, scratch);
      if (!values) return void(result = values.error());
      observations.push_back(launch_once(*module, *window, heap, config, *values, options));
      if (observations.back().ending != Ending::completed) break;
    }
    result = std::move(observations);
  });
  if (!ran) return ran.error();
  return result;
}

}  // namespace histolab::kernels::emulator
