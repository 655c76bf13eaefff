#include "kernels/emulator/emulator.h"

#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/launch/launch_limits.h"
#include "kernels/emulator/launch/read_bytes.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/memory/source_line.h"
#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/messages/source_files.h"
#include "kernels/emulator/module/module.h"
#include "kernels/emulator/run/launch_blocks.h"
#include "kernels/program/memory_layout.h"
#include "reference/seconds_since.h"

namespace histolab::kernels::emulator {
namespace {

// Limits for a second look (see run): bytes of all outputs, and rows of the first run. A second
// look judges about a million rows per second. A program may launch thousands of kernels, and each
// launch would save its memory.
constexpr std::uint64_t most_saved_bytes = 64 << 20, most_saved_bytes_of_program = 16 << 20;
constexpr std::uint64_t most_rows_to_look_again = 1 << 20;

// Runs `work` on a thread whose stack, and so its thread-local storage, is next to the window.
// Returns an Error if the thread cannot be started.
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
  // Only that thread may get the timer's signal, and Ctrl-C if a debugger passes it on.
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGPROF);
  sigaddset(&timer, SIGINT);
  const std::function<void()> with_timer = [&] {
    pthread_sigmask(SIG_UNBLOCK, &timer, nullptr);
    work();
  };
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &timer, &before);
  const int error =
      pthread_create(&thread, &attributes, body, const_cast<std::function<void()>*>(&with_timer));
  pthread_attr_destroy(&attributes);
  if (error == 0) pthread_join(thread, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    return Error{
        fmt::format("cannot start the thread that runs the kernel: {}", std::strerror(error))};
  return Done{};
}

// The written bytes of each buffer that begins unset, by descriptor. All launches of a call use the
// same memory for one descriptor.
using Scratch = std::map<int, std::shared_ptr<WrittenBytes>>;

bool is_shown(const Options& options) {
  return options.live != nullptr || options.recorded_steps != 0;
}

// Returns the options for a second look, or for a launch that is not the first one of the call.
Options unwatched(Options options) {
  options.live = nullptr;
  options.recorded_accesses = options.recorded_steps = 0;
  options.debugged = false;
  return options;
}

// A launch's arguments, with its buffers in the window.
struct MappedArguments {
  RawArguments values;
  const Region* first_input = nullptr;
};

Error too_many_parameters() {
  return Error{
      fmt::format("the emulator passes at most {} parameters to a kernel", ArgumentWords::most)};
}

Result<MappedArguments> map_arguments(const std::vector<MappedArgument>& arguments, Window& window,
                                      Scratch& scratch) {
  MappedArguments mapped;
  ArgumentWords words;
  for (const MappedArgument& argument : arguments) {
    if (argument.kind == Argument::Kind::word) {
      if (!words.add(argument.word)) return too_many_parameters();
      continue;
    }
    const bool output = argument.kind == Argument::Kind::output;
    const auto role = output ? Region::Role::output : Region::Role::input;
    const Region* const region =
        TRY(window.map_buffer(role, argument.name, argument.element_bytes, argument.bytes,
                              argument.fd, output, argument.offset));
    if (!words.add(region->address())) return too_many_parameters();
    if (!output && mapped.first_input == nullptr) mapped.first_input = region;
    if (argument.initialized || !output || argument.bytes == 0) continue;
    std::shared_ptr<WrittenBytes>& written = scratch[argument.fd];
    if (written == nullptr) {
      written = std::make_shared<WrittenBytes>(argument.bytes);
      std::memset(region->begin, 0xcd, argument.bytes);
    }
    window.begins_unset(*region, written);
  }
  mapped.values = words.arguments();
  return mapped;
}

Launched launch_once(const LaunchPlan& plan) {
  const reference::DeviceProfile* profile = reference::find_device_profile(plan.config.profile);
  if (profile == nullptr) profile = &reference::device_profiles.front();
  if (std::optional<Finding> refused =
          refuse_launch(plan.config,
                        {plan.module.static_shared_bytes, plan.module.max_threads_per_block,
                         plan.module.is_cooperative},
                        *profile)) {
    Launched launched;
    launched.observation.counters = shape_of(plan);
    launched.observation.ending = Ending::stopped;
    launched.observation.ending_detail = refused->message;
    launched.observation.findings.push_back(std::move(*refused));
    return launched;
  }
  const auto begin = std::chrono::steady_clock::now();
  Launched launched = run_blocks(plan);
  if (plan.first_input != nullptr && plan.first_input->read != nullptr)
    launched.observation.unread = plan.first_input->read->unread();
  launched.observation.host_elapsed_s = reference::seconds_since(begin) - launched.slept_s;
  return launched;
}

// A part of a file that launches may change. Sizes are in bytes.
struct FilePart {
  int fd = -1;
  std::uint64_t offset = 0, bytes = 0;
};

// Calls `f` with the bytes of each part. Returns false if a file cannot be mapped. Maps each file
// once, from its first part to its last.
template <class F>
bool for_each_part(const std::vector<FilePart>& parts, F&& f) {
  struct Mapped {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;  // offsets
    std::uint8_t* data = nullptr;
  };
  std::map<int, Mapped> files;
  for (const FilePart& part : parts) {
    Mapped& file = files[part.fd];
    file.begin = std::min(file.begin, part.offset - part.offset % 4096);  // a page's begin
    file.end = std::max(file.end, part.offset + part.bytes);
  }
  bool all = true;
  for (auto& [fd, file] : files) {
    void* const data = mmap(nullptr, file.end - file.begin, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                            static_cast<off_t>(file.begin));
    if (data != MAP_FAILED) file.data = static_cast<std::uint8_t*>(data);
    all &= data != MAP_FAILED;
  }
  if (all)
    for (const FilePart& part : parts) {
      const Mapped& file = files.at(part.fd);
      f(std::span(file.data + (part.offset - file.begin), part.bytes));
    }
  for (const auto& [fd, file] : files)
    if (file.data != nullptr) munmap(file.data, file.end - file.begin);
  return all;
}

// The contents of all parts.
using Contents = std::vector<std::vector<std::uint8_t>>;

// Returns nullopt if the parts are too large in all, or one cannot be mapped.
std::optional<Contents> save(const std::vector<FilePart>& parts, std::uint64_t most_bytes) {
  std::uint64_t left = most_bytes;
  for (const FilePart& part : parts) {
    if (part.bytes > left || part.fd < 0) return std::nullopt;
    left -= part.bytes;
  }
  Contents saved;
  const bool all = for_each_part(parts, [&](std::span<std::uint8_t> bytes) {
    saved.emplace_back(bytes.begin(), bytes.end());
  });
  return all ? std::optional(std::move(saved)) : std::nullopt;
}

bool restore(const std::vector<FilePart>& parts, const Contents& saved) {
  auto next = saved.begin();
  return for_each_part(
      parts, [&](std::span<std::uint8_t> bytes) { std::ranges::copy(*next++, bytes.begin()); });
}

// The writable `__device__` variables of a module, and their contents when they were noted.
class DeviceVariables {
 public:
  void note(const Window& window) {
    for (const Region& region : window.regions())
      if (region.role == Region::Role::device_variable && !region.is_read_only())
        noted_.emplace_back(&region, std::vector(region.begin, region.begin + region.size));
  }
  // Returns the names of the variables whose contents have changed since. Empty if nothing was
  // noted.
  [[nodiscard]] std::vector<std::string> changed() const {
    std::vector<std::string> names;
    for (const auto& [region, bytes] : noted_)
      if (!std::ranges::equal(bytes, std::span(region->begin, region->size)))
        names.push_back(region->name);
    return names;
  }

 private:
  std::vector<std::pair<const Region*, std::vector<std::uint8_t>>> noted_;
};

// The launches of one call. They share a module.
struct Launches {
  std::span<const std::uint8_t> object;
  const KernelSignature& signature;
  const LaunchConfig& config;
  ModuleOptions module;  // without the fields that depend on Options
  std::size_t count = 1;
  bool of_program = false;
  // Maps the memory of a launch into the window. `scratch` is shared by the launches of a window.
  std::function<Result<MappedArguments>(std::size_t launch, Window& window, Scratch& scratch)> map;
  std::vector<FilePart> outputs;  // all that the launches can change

  [[nodiscard]] std::optional<Contents> save_outputs() const {
    return save(outputs, of_program ? most_saved_bytes_of_program : most_saved_bytes);
  }
};

// Returns the observation of a program's kernel that cannot be launched.
Observation not_launched(const Diagnostic& reason) {
  Observation observation;
  observation.ending = Ending::stopped;
  observation.ending_detail = reason.message;
  Finding& finding = observation.findings.emplace_back();
  finding.kind = FindingKind::unsupported;
  finding.line = reason.line;
  finding.message = reason.message;
  return observation;
}

// Runs all launches in one window. `undecided`: the undecided races per launch if this is the
// second look; empty in the first run.
Result<std::vector<Launched>> run_once(const Launches& launches, const Options& options,
                                       const std::vector<std::set<RaceName>>& undecided,
                                       std::vector<std::string>& files) {
  Window window = TRY(launches.of_program ? Window::reserve_for_program() : Window::reserve());
  // This result remains if the thread ends without returning here. Only a system call made by the
  // kernel itself can cause that.
  Launched gone;
  gone.observation.ending = Ending::crashed;
  gone.observation.ending_detail = "the kernel ended the thread that ran it";
  Result<std::vector<Launched>> result = std::vector<Launched>{gone};
  const auto launch_all = [&] {
    DeviceHeap heap(window);
    Scratch scratch;
    // A program's variables have contents before its kernel is loaded.
    Result<MappedArguments> first = MappedArguments{};
    if (launches.of_program) first = launches.map(0, window, scratch);
    if (!first) return void(result = first.error());
    ModuleOptions module_options = launches.module;
    module_options.dynamic_shared_bytes = launches.config.dynamic_shared_bytes;
    module_options.in_order = !undecided.empty();
    module_options.shows = is_shown(options);
    module_options.debugged |= options.debugged;
    Result<Module> module =
        Module::load(launches.object, launches.signature, window, module_options);
    if (!module) return void(result = module.error());
    files = module->places.files;
    if (!module->diagnostics.empty()) {
      Observation& observation = result->front().observation;
      if (launches.of_program)
        observation = not_launched(module->diagnostics.front());
      else
        observation.ending_detail = module->diagnostics.front().message;
      return;
    }
    if (module->entry == nullptr)
      return void(result = Error{"a kernel that cannot be launched was launched"});
    std::vector<Launched> all;
    DeviceVariables variables;
    if (launches.count > 1) variables.note(window);
    const Options later = unwatched(options);
    for (std::size_t i = 0; i < launches.count; ++i) {
      const auto arguments = launches.of_program ? first : launches.map(i, window, scratch);
      if (!arguments) return void(result = arguments.error());
      const Region* const input = arguments->first_input;
      if (input != nullptr && options.observers.bounds && undecided.empty())
        window.record_reads(*input, ReadBytes::make(input->size));
      const LaunchPlan plan{*module,
                            window,
                            heap,
                            launches.config,
                            arguments->values,
                            i == 0 ? options : later,
                            input,
                            undecided.empty() ? std::set<RaceName>{} : undecided[i]};
      std::vector<std::string> kept = i > 0 ? variables.changed() : std::vector<std::string>{};
      all.push_back(launch_once(plan));
      all.back().observation.kept_variables = std::move(kept);
      const bool stopped_early =
          !undecided.empty() && !undecided[i].empty() && all.back().undecided.empty();
      if (all.back().observation.ending != Ending::completed || stopped_early) break;
    }
    result = std::move(all);
  };
  TRY(on_window_thread(window, launch_all));
  return result;
}

// Returns true if a second look is possible and useful: every launch completed, some races are
// undecided, and the number of rows is within the limit.
bool leaves_questions(const std::vector<Launched>& launched) {
  std::uint64_t rows = 0;
  for (const Launched& launch : launched) rows += launch.rows;
  return rows <= most_rows_to_look_again &&
         std::ranges::all_of(
             launched,
             [](const Launched& l) { return l.observation.ending == Ending::completed; }) &&
         std::ranges::any_of(launched, [](const Launched& l) { return !l.undecided.empty(); });
}

// Replaces each finding that the second look reduced to a note, and moves notes to the end.
void soften(std::vector<Finding>& findings, const std::vector<Finding>& second_look) {
  for (Finding& finding : findings)
    for (const Finding& seen : second_look) {
      Finding noted = finding;
      noted.severity = Severity::note;
      noted.message = seen.message;
      if (same_cause(seen, noted))
        std::swap(finding, noted);  // moved, g++ 16 would warn of it as unset
    }
  std::ranges::stable_partition(
      findings, [](const Finding& finding) { return finding.severity == Severity::error; });
}

// Returns the deadlock finding of a thread that waits for a write by a block with a lower number.
// Returns nullptr if no thread does.
const Finding* wait_for_earlier_block(const std::vector<Launched>& launched) {
  const auto order = [](const Dim3& block) { return std::tie(block.z, block.y, block.x); };
  for (const Launched& launch : launched)
    for (const Finding& f : launch.observation.findings)
      if (f.kind == FindingKind::deadlock && f.other_thread &&
          order(f.other_thread->block) < order(f.thread->block))
        return &f;
  return nullptr;
}

// Blocks run one after another. So in an order other than ascending, a block that waits for one
// with a lower number gets stuck. GPUs start blocks in ascending order, so there the wait ends.
// This repeats the launches in ascending order. If they all complete, it replaces `launched` by
// them, adds a note and returns true. Returns an Error if memory cannot be restored or the
// repetition fails.
Result<bool> repeat_in_ascending_order(
    std::vector<Launched>& launched, const std::optional<Contents>& before,
    const std::function<Result<std::vector<Launched>>(const Options&)>& run_with,
    const Options& options, const Launches& launches) {
  const Finding* stuck = wait_for_earlier_block(launched);
  if (stuck == nullptr || !before || is_shown(options)) return false;
  if (options.block_order == BlockOrder::ascending ||
      options.block_order == BlockOrder::interleaved)
    return false;
  const std::optional<Contents> after = launches.save_outputs();
  if (!after || !restore(launches.outputs, *before))
    return Error{"cannot write a launch's result back"};
  Options ascending = options;
  ascending.block_order = BlockOrder::ascending;
  auto again = TRY(run_with(ascending));
  const auto completed = [](const Launched& launch) {
    return launch.observation.ending == Ending::completed;
  };
  if (again.size() < launches.count || !std::ranges::all_of(again, completed)) {
    if (!restore(launches.outputs, *after)) return Error{"cannot write a launch's result back"};
    return false;
  }
  Finding note = *stuck;
  note.severity = Severity::note;
  note.count = 1;
  note.message = waits_for_earlier_block_message(note);
  again.front().observation.findings.push_back(std::move(note));
  launched = std::move(again);
  return true;
}

// Names the files of all lines.
void name_files(Observation& observation, const std::vector<std::string>& files) {
  for (Finding& finding : observation.findings) emulator::name_files(finding, files);
  observation.ending_detail = with_file_names(std::move(observation.ending_detail), files);
  const auto place_in_file = [](auto& each) {
    each.file = file_of_line(each.line);
    each.line = line_in_file(each.line);
  };
  std::ranges::for_each(observation.lines, place_in_file);
  std::ranges::for_each(observation.accesses, place_in_file);
  std::ranges::for_each(observation.steps, place_in_file);
  observation.files = files;
}

Result<std::vector<Observation>> run_all(const Launches& launches, const Options& options) {
  const std::optional<Contents> before = launches.save_outputs();
  std::vector<std::string> files;
  const auto run_with = [&](const Options& with) { return run_once(launches, with, {}, files); };
  auto launched = TRY(run_with(options));
  Options counts = options;  // the options of the launches that count
  if (TRY(repeat_in_ascending_order(launched, before, run_with, options, launches)))
    counts.block_order = BlockOrder::ascending;
  const std::optional<Contents> after =
      before && leaves_questions(launched) ? launches.save_outputs() : std::nullopt;
  if (after && options.live != nullptr)
    options.live->page().looking_again.store(1, std::memory_order_release);
  if (after && restore(launches.outputs, *before)) {
    std::vector<std::set<RaceName>> undecided;
    for (const Launched& launch : launched) undecided.push_back(launch.undecided);
    const auto again = run_once(launches, unwatched(counts), undecided, files);
    if (!restore(launches.outputs, *after)) return Error{"cannot write a launch's result back"};
    if (!again) return again.error();
    for (std::size_t i = 0; i < again->size(); ++i)
      soften(launched[i].observation.findings, (*again)[i].observation.findings);
  }
  std::vector<Observation> observations;
  for (Launched& launch : launched) {
    if (launches.of_program) name_files(launch.observation, files);
    observations.push_back(std::move(launch.observation));
  }
  return observations;
}

}  // namespace

void prepare() {
  // The thread that runs a kernel uses the process's heap: each launch would set up another.
  mallopt(M_ARENA_MAX, 1);
  static_cast<void>(runtime_function(""));
}

Result<ModuleInfo> inspect(std::span<const std::uint8_t> object, const KernelSignature& signature) {
  Window window = TRY(Window::reserve());
  Result<ModuleInfo> result = Error{"the kernel was not loaded"};
  const auto load = [&] {
    Result<Module> module =
        Module::load(object, signature, window, {.name_variables = true, .never_runs = true});
    if (module)
      result = ModuleInfo{module->diagnostics, module->exports, module->static_shared_bytes,
                          module->variables};
    else
      result = module.error();
  };
  TRY(on_window_thread(window, load));
  return result;
}

Result<std::vector<Observation>> run(const Code& code, const KernelSignature& signature,
                                     const LaunchConfig& config,
                                     const std::vector<std::vector<MappedArgument>>& launches,
                                     const Options& options) {
  Launches all{
      .object = code.object,
      .signature = signature,
      .config = config,
      .module = {.wide_accesses = code.wide_accesses, .local_lines = code.local_lines},
      .count = launches.size(),
      .map = [&](std::size_t launch, Window& window,
                 Scratch& scratch) { return map_arguments(launches[launch], window, scratch); },
      .outputs = {}};
  for (const auto& arguments : launches)
    for (const MappedArgument& argument : arguments)
      if (argument.kind == Argument::Kind::output && argument.bytes > 0)
        all.outputs.push_back({argument.fd, 0, argument.bytes});
  return run_all(all, options);
}

Result<ProgramObservation> run_program_kernel(std::span<const std::uint8_t> object,
                                              const ProgramLaunch& launch, const Options& options) {
  if (launch.arguments.stack_bytes > RawArguments::most_stack_bytes)
    return Error{"a program's launch has too many arguments"};
  KernelSignature signature;
  signature.name = launch.kernel;
  signature.is_mangled = true;
  const ProgramMemory& memory = launch.memory;
  WrittenOfAllocations written;  // of the last run
  Launches all{
      .object = object,
      .signature = signature,
      .config = launch.config,
      .module = {.debugged = launch.for_debugger, .library_folders = launch.library_folders},
      .of_program = true,
      .map = [&](std::size_t, Window& window, Scratch&) -> Result<MappedArguments> {
        written = TRY(map_program_memory(memory, window));
        return MappedArguments{launch.arguments};
      },
      .outputs = {}};
  for (const ProgramVariable& variable : memory.variables) {
    all.module.kept[variable.symbol] =
        reinterpret_cast<std::uint8_t*>(program::program_memory_begin + variable.offset);
    all.outputs.push_back({memory.fd, variable.offset, variable.bytes});
  }
  for (const ProgramAllocation& allocation : memory.allocations) {
    if (allocation.is_freed) continue;
    all.outputs.push_back({memory.fd, allocation.offset, allocation.bytes});
    if (allocation.written != WrittenState::all)
      all.outputs.push_back(
          {memory.written_fd, allocation.offset / 8, round_up(allocation.bytes, 64) / 8});
  }
  auto observations = TRY(run_all(all, options));
  return ProgramObservation{std::move(observations.front()), written_states(memory, written)};
}

}  // namespace histolab::kernels::emulator
