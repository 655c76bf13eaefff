#include "kernels/program/run/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "kernels/buffer.h"
#include "kernels/program/build/source_files.h"
#include "kernels/program/calls/messages.h"
#include "kernels/program/memory_layout.h"
#include "kernels/program/run/disguise.h"
#include "kernels/program/run/program_memory_files.h"
#include "kernels/program/run/repeated_launches.h"
#include "kernels/program/run/usage.h"
#include "kernels/program/run/variables.h"
#include "kernels/program/state/written_bits.h"
#include "kernels/worker/asking.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::kernels::program {
namespace {

namespace fs = std::filesystem;
using worker::Descriptor;
using worker::ProcessResult;
using worker::ProcessSpec;

constexpr int socket_there = 10, memory_there = 11;  // descriptors of the program
constexpr std::uint64_t program_output_bytes = 64ull << 20, most_executable_bytes = 1ull << 30;
constexpr const char* interrupted = "interrupted";
constexpr const char* unreadable =
    "this is not a program that histolab built, or the program was stripped. Build it with "
    "`histolab nvcc` without -s, and do not run strip on it";

Result<Buffer> read_executable(const std::string& path) {
  std::error_code failure;
  const std::uint64_t bytes = fs::file_size(path, failure);
  if (failure || bytes > most_executable_bytes)
    return Error{fmt::format("{}: cannot be read", path)};
  Buffer buffer = TRY(Buffer::zeroed(bytes));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(buffer.bytes().data()), static_cast<std::streamsize>(bytes));
  if (!file) return Error{fmt::format("{}: cannot be read", path)};
  return buffer;
}

// The emulator finds kernels and variables by their symbols. -rdc=true links the device code of all
// files to one object, in which two of them can have one symbol.
Status check_names(const ProgramDescription& description) {
  std::set<std::pair<std::uint32_t, std::string>> symbols;
  const auto check = [&](std::uint32_t object, const std::string& symbol, const std::string& name,
                         const char* what) -> Status {
    if (symbols.emplace(object, symbol).second) return Done{};
    return Error{fmt::format(
        "two files have a static {0} {1}, or one in an anonymous namespace. -rdc=true links their "
        "device code: give one of them another name, or build without -rdc=true",
        what, name)};
  };
  for (const DescribedKernel& kernel : description.kernels)
    TRY(check(kernel.object, kernel.symbol, kernel.facts.name, "kernel"));
  for (const DescribedSection& section : description.sections)
    for (const DescribedVariable& variable : section.variables)
      if (!section.may_be_host && variable.host.size() > 1)
        TRY(check(section.object, variable.symbol, variable.name, "variable"));
  return Done{};
}

// The findings of all launches, one per cause. Findings of two kernels at different lines have two
// causes, even if their parameters have one name.
class KernelFindings {
 public:
  void add(const std::string& kernel, const Finding& more) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      Finding& known = findings[i];
      const bool is_same_line = known.line == more.line && known.file == more.file;
      if ((kernels_[i] == kernel || is_same_line) && same_cause(known, more))
        return merge(known, more);
    }
    findings.push_back(more);
    kernels_.push_back(kernel);
  }
  std::vector<Finding> findings;

 private:
  std::vector<std::string> kernels_;  // names, per finding
};

// Changes the call so that it fails, if it is of this kind. Returns whether it does.
bool make_fail(Call& call, Failing failing) {
  using enum Function;
  const auto is_one_of = [&](std::initializer_list<Function> functions) {
    return std::ranges::find(functions, call.function) != functions.end();
  };
  const auto set = [&](auto values, auto change) {
    change(values);
    std::memcpy(call.values, &values, sizeof values);
    return true;
  };
  if (failing == Failing::allocations &&
      is_one_of({cudaMalloc, cudaMallocAsync, cudaMallocManaged, cudaMallocPitch, cudaMalloc3D}))
    return set(call.as<calls::Allocate>(),
               [](calls::Allocate& values) { values.width = 1ull << 50; });
  if (failing == Failing::copies && is_one_of({cudaMemcpy, cudaMemcpyAsync}))
    return set(call.as<calls::Copy>(), [](calls::Copy& values) { values.kind = 99; });
  if (failing == Failing::launches && call.is_launch())
    return set(call.as<calls::Launch>(), [](calls::Launch& values) { values.block[0] = 1 << 20; });
  return false;
}

// The arguments, without bytes of the stack and vectors in which there are none: each thread gets a
// copy.
emulator::RawArguments arguments_of(const KernelLaunch& launch) {
  emulator::RawArguments arguments = launch.arguments;
  if (!launch.facts->places_are_known()) return arguments;
  arguments.stack_bytes = arguments.has_vectors = 0;
  for (const KernelParameter& parameter : launch.facts->parameters)
    for (const ArgumentPlace& place : parameter.places) {
      if (place.where == ArgumentPlace::Where::vector) arguments.has_vectors = 1;
      if (place.where == ArgumentPlace::Where::stack)
        arguments.stack_bytes = std::max(arguments.stack_bytes, place.index + place.bytes);
    }
  arguments.stack_bytes = std::min<std::uint32_t>((arguments.stack_bytes + 7) / 8 * 8,
                                                  emulator::RawArguments::most_stack_bytes);
  std::fill(arguments.stack.begin() + arguments.stack_bytes, arguments.stack.end(), 0);
  return arguments;
}

// Serves the calls of one program.
class Server {
 public:
  Server(const ProgramSettings& settings, const ProgramDevice& device, const Buffer& executable,
         ProgramDescription description, PlacedVariables placed, ProgramMemoryFiles& files)
      : settings_(settings),
        device_(device),
        executable_(executable),
        description_(std::move(description)),
        placed_(std::move(placed)),
        files_(files),
        repeated_(files),
        objects_(description_.objects.size()),
        state_(setup()) {
    sources_.allow(settings.directory);
    for (const std::string& folder : settings.reads) sources_.allow(folder);
    for (const DescribedKernel& kernel : description_.kernels)
      kernels_.emplace(kernel.address, &kernel);
  }

  // Returns when the program has closed the socket, or breaks the protocol.
  void serve(int socket) {
    for (Call call; receive_call(socket, call);) {
      report_.calls_failed |= make_fail(call, settings_.failing);
      Answer answer = state_.call(call);
      for (const Answer::Released& each : answer.released) {
        files_.release(each.offset, each.bytes);
        if (const auto filled = filled_.find(each.offset); filled != filled_.end()) {
          filled_bytes_ -= filled->second;
          filled_.erase(filled);
        }
      }
      if (answer.launch) {
        report_.launched_after_failure |= report_.calls_failed;
        if (settings_.budget != nullptr && settings_.budget->left().count() == 0) {
          report_.ending_detail = fmt::format(
              "the kernels of all cases together used up {:g} s of processor time, all that a "
              "submission may use. Launch less work",
              static_cast<double>(settings_.budget->all().count()) / 1000);
          break;
        }
        is_launching = true;
        Result<LaunchResult> ran = launch(*answer.launch);
        is_launching = false;
        if (!ran) {
          failure_ = ran.error();
          break;
        }
        answer.reply = state_.launched(*answer.launch, std::move(*ran));
      }
      if (!send_reply(socket, answer.reply)) break;
    }
    // Otherwise the program would wait for a reply forever.
    shutdown(socket, SHUT_RDWR);
  }

  // `excess`: the limit of its usage that ended it, or empty.
  Result<ProgramReport> report(const ProcessResult& ran, bool is_confined,
                               const std::string& excess) {
    if (failure_ && !is_stopped()) return *failure_;
    ProgramEnd end{ran.end == ProcessResult::End::exited, ran.code};
    // The first process in a sandbox exits as a shell does if a signal ends the program.
    if (end.exited && is_confined && end.status > 128 && end.status <= 128 + SIGSYS)
      end = {false, end.status - 128};
    const bool used_up_processor = !end.exited && end.status == SIGXCPU;
    if (ran.end == ProcessResult::End::timed_out || used_up_processor) {
      end = {false, SIGKILL};
      if (report_.ending_detail.empty()) report_.ending_detail = excess;
      if (report_.ending_detail.empty())
        report_.ending_detail =
            "the program did not end within its time limit. Look for a loop that does not end, and "
            "for work that the host repeats";
    }
    if (is_stopped()) {
      end = {false, SIGINT};
      report_.ending_detail = interrupted;
    }
    state_.ended(end);
    report_.end = end;
    report_.findings = std::move(findings_.findings);
    report_.host_findings = state_.findings();
    report_.modelled_ms = state_.modelled_ms();
    report_.write_refused = state_.write_refused();
    return std::move(report_);
  }

  std::atomic<bool> is_launching = false;

 private:
  [[nodiscard]] bool is_stopped() const {
    return settings_.stop != nullptr && settings_.stop->cancelled();
  }
  ProgramSetup setup() {
    ProgramSetup setup;
    for (const reference::DeviceProfile& profile : reference::device_profiles)
      if (profile.name == settings_.profile) setup.profile = &profile;
    setup.written = files_.written_bits();
    setup.variables_end = placed_.end;
    setup.variables = placed_.variables;
    setup.memory_descriptor = memory_there;
    setup.shared_variables = placed_.shared;
    setup.line_of = [this](std::uint64_t address) { return description_.line_of(address); };
    setup.kernel_at = [this](std::uint64_t address) -> const KernelFacts* {
      const auto found = kernels_.find(address);
      return found == kernels_.end() ? nullptr : &found->second->facts;
    };
    setup.text_of = [this](const SourceLine& line) {
      return sources_.line((fs::path(settings_.directory) / line.file).string(), line.line);
    };
    return setup;
  }

  Result<const Buffer*> object(std::uint32_t number) {
    if (!objects_[number]) {
      const ByteRange& range = description_.objects[number];
      objects_[number] =
          TRY(Buffer::copy_of(executable_.bytes().subspan(range.offset, range.bytes)));
    }
    return &*objects_[number];
  }

  Result<LaunchResult> launch(const KernelLaunch& launch) {
    const DescribedKernel& kernel = *kernels_.at(launch.kernel);
    const LaunchConfig& config = launch.config;
    Watched& watched = watched_[{launch.kernel, numbers(config.grid), numbers(config.block),
                                 config.dynamic_shared_bytes}];
    Options options = settings_.options;
    const std::uint64_t number_of_launch = ++report_.launch_count;
    const bool is_chosen = number_of_launch == settings_.chosen_launch;
    options.debugged = is_chosen && settings_.before_debugging != nullptr;
    const bool is_watched = (watched.launches++ < settings_.watched_launches &&
                             watched.requests < settings_.watched_requests) ||
                            is_chosen;
    if (!is_watched || (settings_.chosen_launch != 0 && !is_chosen))
      options.recorded_accesses = options.recorded_steps = 0;
    ReportedLaunch reported{.kernel = kernel.facts.name,
                            .grid = config.grid,
                            .block = config.block,
                            .dynamic_shared_bytes = config.dynamic_shared_bytes,
                            .line = launch.line,
                            .watched = is_watched};
    if (options.debugged) TRY(settings_.before_debugging(reported));
    if (!is_watched) {
      for (const NamedObserver& each : all_observers) options.observers.*each.is_on = false;
      // The order of threads does not matter to a kernel without races: they need not take turns.
      const auto known = may_race_.find(launch.kernel);
      if (options.schedule == Schedule::lockstep && known != may_race_.end() && !known->second)
        options.schedule = Schedule::run_to_barrier;
    }

    std::vector<emulator::ProgramAllocation> allocations = state_.allocations_of(launch);
    TRY(fill_unwritten(allocations));
    const bool too_much_data = is_watched && leave_out_large(allocations);

    emulator::ProgramLaunch order;
    order.kernel = kernel.symbol;
    order.config = config;
    order.arguments = arguments_of(launch);
    order.for_debugger = settings_.before_debugging != nullptr;
    order.memory = {.fd = files_.memory(),
                    .written_fd = files_.written(),
                    .allocations = allocations,
                    .variables = placed_.of_object[kernel.object]};
    if (settings_.on_begin) settings_.on_begin(number_of_launch, reported);
    Result<emulator::ProgramObservation> done =
        run_or_repeat(launch, *TRY(object(kernel.object)), std::move(order), options, watched);
    if (!done && is_stopped()) {
      reported.ending = Ending::stopped;
      reported.ending_detail = interrupted;
      report_.launches.push_back(reported);
      report_.incomplete_launch = reported;
    }
    emulator::ProgramObservation ran = TRY(std::move(done));
    if (!options.observers.initialization) consider_written(allocations, ran.written);

    Observation& observation = ran.observation;
    if (is_watched && observation.ending == Ending::completed && settings_.modelled_ms &&
        options.observers.traffic) {
      std::uint64_t bytes = 0;
      for (const emulator::ProgramAllocation& each : allocations)
        if (!each.is_freed) bytes += each.bytes;
      watched.modelled_ms = settings_.modelled_ms(observation, bytes);
    }
    for (const Finding& finding : observation.findings) findings_.add(kernel.facts.name, finding);
    if (is_watched && options.observers.races) may_race_[launch.kernel] |= may_race(observation);
    watched.requests += observation.counters.requests();
    reported.too_much_data = too_much_data;
    reported.ending = observation.ending;
    reported.ending_detail = observation.ending_detail;
    reported.counters = observation.counters;
    reported.modelled_ms = watched.modelled_ms;
    if (observation.ending != Ending::completed && !report_.incomplete_launch)
      report_.incomplete_launch = reported;
    if (report_.launches.size() < most_reported_launches) report_.launches.push_back(reported);
    if (settings_.on_launch) settings_.on_launch(number_of_launch, reported, observation);
    return LaunchResult{.error = error_of(observation),
                        .modelled_ms = watched.modelled_ms,
                        .printed = std::move(observation.printed),
                        .written = std::move(ran.written)};
  }

  struct Watched {  // launches of one kernel and shape
    std::uint32_t launches = 0;
    std::uint64_t requests = 0;  // of the watched launches
    double modelled_ms = 0;      // of the last watched launch
    double seconds = 0;          // wall time of the last launch that ran; at first, an estimate
    std::uint32_t unlike = 0;  // launches in a row that were compared, and no earlier one was equal
  };

  // Runs the launch. If it is not watched, and an equal launch is known, gets that one's result.
  Result<emulator::ProgramObservation> run_or_repeat(const KernelLaunch& launch,
                                                     const Buffer& object,
                                                     emulator::ProgramLaunch order,
                                                     const Options& options, Watched& watched) {
    const std::vector<emulator::ProgramAllocation>& allocations = order.memory.allocations;
    constexpr double seconds_per_thread = 5e-8;
    if (watched.launches == 1)
      watched.seconds = seconds_per_thread * static_cast<double>(launch.config.grid.count()) *
                        static_cast<double>(launch.config.block.count());
    std::optional<RepeatedLaunches::Inputs> inputs;
    if (launch.facts->places_are_known() && is_worth_comparing(watched, allocations) &&
        !options.debugged) {
      std::vector<ByteRange> memory = placed_.initialized;
      for (const emulator::ProgramAllocation& each : allocations)
        if (!each.is_freed) memory.push_back({each.offset, each.bytes});
      inputs = repeated_.inputs_of(launch, std::move(memory));
      const bool is_known = repeated_.knows(*inputs);
      watched.unlike = is_known ? 0 : watched.unlike + 1;
      if (is_known && !options.observers.initialization) {
        ++report_.repeated_launches;
        emulator::ProgramObservation repeated;
        repeated.observation.printed = TRY(repeated_.repeat(*inputs));
        for (const emulator::ProgramAllocation& each : allocations)
          repeated.written.push_back(each.written);
        return repeated;
      }
      if (is_known) inputs.reset();
    }
    const auto begin = std::chrono::steady_clock::now();
    emulator::ProgramObservation ran = TRY(run(object, std::move(order), options));
    watched.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (inputs && ran.observation.ending == Ending::completed)
      repeated_.remember(*inputs, ran.observation.printed);
    return ran;
  }

  // Whether comparing the memory of such a launch with earlier ones takes much less time than the
  // last one took, and has not been in vain. Submissions have a budget, and their launches all run.
  [[nodiscard]] bool is_worth_comparing(
      const Watched& watched, const std::vector<emulator::ProgramAllocation>& allocations) const {
    constexpr std::uint32_t most_unlike = 3;
    constexpr double least_seconds = 0.02, bytes_per_second = 2e9;
    if (settings_.budget != nullptr || settings_.disguise || watched.unlike >= most_unlike ||
        watched.seconds <= least_seconds)
      return false;
    double bytes = 0;
    for (const ByteRange& each : placed_.initialized) bytes += static_cast<double>(each.bytes);
    for (const emulator::ProgramAllocation& each : allocations)
      if (!each.is_freed) bytes += static_cast<double>(each.bytes);
    return watched.seconds > least_seconds + 2 * bytes / bytes_per_second;
  }

  // Runs the launch within the budget, and on other data if the settings say so.
  Result<emulator::ProgramObservation> run(const Buffer& object, emulator::ProgramLaunch order,
                                           Options options) {
    std::optional<Disguise> disguise;
    if (settings_.disguise) {
      std::vector<ByteRange> parts = placed_.initialized;
      for (const emulator::ProgramAllocation& each : order.memory.allocations)
        if (!each.is_freed) parts.push_back({each.offset, each.bytes});
      disguise.emplace(
          TRY(Disguise::put_on(files_, std::move(parts), inputs_of(order.memory.allocations),
                               *settings_.disguise, disguised_bytes_left_)));
      order.memory.fd = disguise->memory();
    }
    if (settings_.budget != nullptr)
      options.time_limit = std::min(options.time_limit, settings_.budget->left());
    emulator::ProgramObservation ran = TRY(device_.launch(object, std::move(order), options));
    if (settings_.budget != nullptr)
      settings_.budget->use(ran.processor / worker::slowness, settings_.options.time_limit);
    if (disguise) TRY(disguise->take_off(files_));
    return ran;
  }

  // Memory that the launch only reads: variables, and allocations without those to which the kernel
  // gets pointers that may write.
  [[nodiscard]] std::vector<ByteRange> inputs_of(
      const std::vector<emulator::ProgramAllocation>& allocations) const {
    std::vector<ByteRange> parts;
    for (const emulator::ProgramAllocation& each : allocations)
      if (!each.is_freed && each.pointers != emulator::PointersInto::others)
        parts.push_back({each.offset, each.bytes});
    for (const DeviceVariable& each : placed_.variables) parts.push_back({each.offset, each.bytes});
    return parts;
  }

  static bool may_race(const Observation& observation) {
    return observation.ending != Ending::completed ||
           std::ranges::any_of(observation.findings, [](const Finding& finding) {
             return finding.kind == FindingKind::data_race ||
                    finding.kind == FindingKind::barrier_divergence;
           });
  }

  // Leaves out the largest of the buffers that the kernel can write, and gets as arguments, until
  // the others have few enough elements. Returns whether there are such buffers.
  bool leave_out_large(std::vector<emulator::ProgramAllocation>& allocations) const {
    std::vector<std::pair<std::uint64_t, emulator::ProgramAllocation*>> watched;
    for (emulator::ProgramAllocation& each : allocations)
      if (!each.is_freed && each.pointers != emulator::PointersInto::to_const &&
          each.element_bytes != 0)
        watched.emplace_back(each.bytes / each.element_bytes, &each);
    std::ranges::sort(watched);
    std::uint64_t elements = 0;
    for (const auto& [of_one, allocation] : watched) {
      elements += of_one;
      allocation->is_too_large = elements > settings_.watched_elements;
    }
    return elements > settings_.watched_elements;
  }

  // Gives memory that nothing has written contents as on a GPU: not zeros. Each allocation gets
  // them once, before the first launch that can use it.
  Status fill_unwritten(const std::vector<emulator::ProgramAllocation>& allocations) {
    // Memory that this takes up: of an allocation, and of all.
    constexpr std::uint64_t most_bytes = 64 << 20, most_filled_bytes = 512 << 20;
    const WrittenBits bits(files_.written_bits());
    for (const emulator::ProgramAllocation& each : allocations) {
      if (each.is_freed || each.written == emulator::WrittenState::all) continue;
      const std::uint64_t bytes =
          std::min({each.bytes, most_bytes, most_filled_bytes - filled_bytes_});
      if (!filled_.emplace(each.offset, bytes).second) continue;
      filled_bytes_ += bytes;
      const std::uint64_t end = each.offset + bytes;
      for (std::uint64_t at = each.offset; at < end;) {
        const std::uint64_t from = bits.first(false, at, end - at);
        at = bits.first(true, from, end - from);
        TRY(files_.fill(from, at - from));
      }
    }
    return Done{};
  }

  // Without the observer, the launch may have written anything: avoid false findings.
  void consider_written(const std::vector<emulator::ProgramAllocation>& allocations,
                        std::vector<emulator::WrittenState>& written) {
    WrittenBits bits(files_.written_bits());
    for (std::size_t i = 0; i < allocations.size() && i < written.size(); ++i) {
      if (allocations[i].is_freed || written[i] == emulator::WrittenState::all) continue;
      bits.set(allocations[i].offset, allocations[i].bytes);
      written[i] = emulator::WrittenState::all;
    }
  }

  static std::array<std::uint32_t, 3> numbers(const Dim3& size) { return {size.x, size.y, size.z}; }
  using Shape = std::tuple<std::uint64_t, std::array<std::uint32_t, 3>,
                           std::array<std::uint32_t, 3>, std::uint32_t>;

  const ProgramSettings& settings_;
  const ProgramDevice& device_;
  const Buffer& executable_;
  const ProgramDescription description_;
  const PlacedVariables placed_;
  ProgramMemoryFiles& files_;
  RepeatedLaunches repeated_;
  SourceFiles sources_;
  std::vector<std::optional<Buffer>> objects_;
  std::map<std::uint64_t, const DescribedKernel*> kernels_;  // by address of the host function
  std::map<Shape, Watched> watched_;
  // Whether a watched launch of the kernel had a race, or did not complete. By host function.
  std::map<std::uint64_t, bool> may_race_;
  std::map<std::uint64_t, std::uint64_t> filled_;  // bytes, by the offset of the allocation
  std::uint64_t filled_bytes_ = 0;
  std::uint64_t disguised_bytes_left_ = 1 << 30;  // for all launches: copies take time
  ProgramReport report_;
  KernelFindings findings_;
  std::optional<Error> failure_;
  ProgramState state_;
};

Status write_variables(const PlacedVariables& placed, const Buffer& executable,
                       ProgramMemoryFiles& files) {
  WrittenBits written(files.written_bits());
  for (const ByteRange& range : placed.initialized) written.set(range.offset, range.bytes);
  for (const PlacedVariables::Contents& each : placed.contents)
    TRY(files.write(each.offset, executable.bytes().subspan(each.from.offset, each.from.bytes)));
  return Done{};
}

// Puts the executable into the program's own folder, where every user may start it.
Result<std::string> copy_of(const Buffer& executable, const std::string& folder,
                            const std::string& name) {
  const std::string path = folder + "/" + name;
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(executable.bytes().data()),
             static_cast<std::streamsize>(executable.size()));
  file.close();
  if (!file || chmod(path.c_str(), 0755) != 0)
    return Error{
        fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", path)};
  return path;
}

ProcessSpec process(const ProgramSettings& settings, const EmulatorPaths& paths,
                    const std::string& executable, const std::string& folder) {
  ProcessSpec spec;
  spec.command = {executable};
  spec.command.insert(spec.command.end(), settings.arguments.begin(), settings.arguments.end());
  spec.name = settings.started_as;
  spec.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=" + folder, "TMPDIR=" + folder,
                      fmt::format("{}={}", socket_variable, socket_there)};
  spec.directory = folder;
  spec.starts_in = settings.directory;
  spec.reads = settings.reads;
  spec.reads.push_back(settings.directory);
  spec.writes = settings.writes;
  spec.input = settings.input;
  spec.limits.cpu_seconds = settings.cpu_seconds;
  spec.limits.wall = settings.wall;
  spec.limits.data_bytes = settings.data_bytes;
  spec.limits.output_bytes = program_output_bytes;
  spec.fixed_addresses = true;
  spec.on_output = settings.on_output;
  spec.on_errors = settings.on_errors;
  spec.cancellation = paths.cancellation;
  spec.confinement = paths.confinement;
  spec.purpose = worker::Purpose::program;
  return spec;
}

}  // namespace

bool ProgramReport::has_errors() const {
  const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
  return incomplete_launch || !ending_detail.empty() || std::ranges::any_of(findings, is_error) ||
         std::ranges::any_of(host_findings, is_error);
}

Result<std::string> find_obstacle(const std::string& executable, const EmulatorPaths& paths) {
  const auto description = TRY(ProgramDevice(paths).describe(TRY(read_executable(executable))));
  if (!description) return std::string(unreadable);
  if (const Status names = check_names(*description); !names) return names.error().message;
  const Result<PlacedVariables> placed = place_variables(*description);
  return placed ? std::string{} : placed.error().message;
}

Result<ProgramReport> run_program(const ProgramSettings& settings, const EmulatorPaths& given) {
  EmulatorPaths paths = given;
  if (settings.stop != nullptr) paths.cancellation = settings.stop;
  const worker::Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{interrupted};
  const auto begin = std::chrono::steady_clock::now();
  const ProgramDevice device(paths);
  const Buffer executable = TRY(read_executable(settings.executable));
  std::optional<ProgramDescription> described = TRY(device.describe(executable));
  if (!described) return Error{unreadable};
  ProgramDescription description = std::move(*described);
  TRY(check_names(description));
  PlacedVariables placed = TRY(place_variables(description));
  ProgramMemoryFiles files = TRY(ProgramMemoryFiles::make(settings.memory_bytes));
  TRY(write_variables(placed, executable, files));

  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
  const Descriptor here(sockets[0]), there(sockets[1]);
  const worker::TemporaryFolder folder = TRY(worker::TemporaryFolder::make());
  const std::string copy = TRY(copy_of(executable, folder.path(), settings.name));
  ProcessSpec spec = process(settings, paths, copy, folder.path());
  const Descriptor memory = TRY(files.open_memory());
  spec.descriptors = {{there.get(), socket_there}, {memory.get(), memory_there}};
  Server server(settings, device, executable, std::move(description), std::move(placed), files);
  spec.is_held_back = [&] { return server.is_launching.load(); };
  std::vector<std::string> folders = settings.writes;
  folders.push_back(folder.path());
  Usage usage(std::move(folders), files.memory());
  spec.must_end = [&] { return usage.exceeds(); };
  std::optional<Result<ProcessResult>> ran;
  {
    // Serves in this thread: a debugger that a launch started ends with the thread that started it.
    const std::jthread running([&] {
      ran = worker::run_process(spec);
      shutdown(here.get(), SHUT_RDWR);  // no process of the program is left
    });
    server.serve(here.get());
  }
  const ProcessResult result = TRY(std::move(*ran));
  const bool is_stopped = settings.stop != nullptr && settings.stop->cancelled();
  if (result.end == ProcessResult::End::cancelled && (!is_stopped || worker::cancelled()))
    return Error{interrupted};
  ProgramReport report = TRY(server.report(result, paths.confinement != nullptr, usage.reason()));
  report.elapsed_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace histolab::kernels::program
