// ProgramState: kernels, their attributes, occupancy and launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/launch/launch_limits.h"
#include "kernels/program/state/cuda_values.h"
#include "kernels/program/state/program_state.h"
#include "kernels/program/state/result_use.h"
#include "reference/occupancy.h"

namespace histolab::kernels::program {
namespace {

constexpr int registers_per_thread = 32;  // unknown: the emulator does not compile for a GPU

constexpr const char* not_a_kernel =
    "the launched function is not a kernel of this program. Launch a `__global__` function that is "
    "defined in it";

// Returns the 8 bytes of a place, or null.
template <class Arguments>
auto* bytes_of(Arguments& arguments, const ArgumentPlace& place) {
  decltype(&arguments.stack[0]) bytes = nullptr;
  if (place.where == ArgumentPlace::Where::integer && place.index < arguments.integers.size())
    bytes = reinterpret_cast<decltype(bytes)>(&arguments.integers[place.index]);
  else if (place.where == ArgumentPlace::Where::stack &&
           place.index + sizeof(std::uint64_t) <= arguments.stack.size())
    bytes = &arguments.stack[place.index];
  return bytes;
}

std::uint64_t word_of(const emulator::RawArguments& arguments, const ArgumentPlace& place) {
  std::uint64_t word = 0;
  if (const auto* bytes = bytes_of(arguments, place)) std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Returns the value of a parameter that is a pointer; 0 if its place is unknown.
std::uint64_t pointer_of(const emulator::RawArguments& arguments,
                         const KernelParameter& parameter) {
  return parameter.is_pointer && parameter.places.size() == 1
             ? word_of(arguments, parameter.places[0])
             : 0;
}

// The kernel's pointers, and whether they are pointers to const.
struct Pointers {
  struct Pointer {
    std::uint64_t address = 0;
    bool to_const = false;
  };
  std::vector<Pointer> all;
  bool are_complete = true;

  explicit Pointers(const KernelLaunch& launch) {
    using Holds = ArgumentPlace::Holds;
    for (const KernelParameter& parameter : launch.facts->parameters) {
      are_complete &= parameter.bytes != 0;
      for (const ArgumentPlace& place : parameter.places)
        if (place.holds != Holds::value)
          all.push_back({word_of(launch.arguments, place), place.holds == Holds::pointer_to_const});
    }
  }

  [[nodiscard]] emulator::PointersInto into(const Allocation& allocation) const {
    auto found = emulator::PointersInto::none;
    for (const Pointer& each : all) {
      if (each.address - allocation.address() >= allocation.bytes) continue;
      if (!each.to_const) return emulator::PointersInto::others;
      if (are_complete) found = emulator::PointersInto::to_const;
    }
    return found;
  }
};

std::string shown(const KernelParameter& parameter) {
  if (!parameter.name.empty() || parameter.places.empty()) return parameter.name;
  return fmt::format("argument {}", parameter.places[0].argument + 1);
}

}  // namespace

int error_of(const Observation& observation) {
  if (observation.ending == Ending::completed) return cudaSuccess;
  if (observation.ending == Ending::timed_out) return cudaErrorLaunchTimeout;
  const auto cause = std::ranges::find_if(
      observation.findings.rbegin(), observation.findings.rend(),
      [](const Finding& finding) { return finding.severity == Severity::error; });
  if (observation.ending != Ending::stopped || cause == observation.findings.rend())
    return cudaErrorLaunchFailure;
  switch (cause->kind) {
    case FindingKind::out_of_bounds:
    case FindingKind::use_after_free:
    case FindingKind::write_to_input: return cudaErrorIllegalAddress;
    case FindingKind::misaligned_access: return cudaErrorMisalignedAddress;
    case FindingKind::illegal_instruction:
      return cause->message.find("assertion") != std::string::npos ? cudaErrorAssert
                                                                   : cudaErrorLaunchFailure;
    case FindingKind::step_limit:
    case FindingKind::deadlock: return cudaErrorLaunchTimeout;
    case FindingKind::invalid_launch: return cudaErrorInvalidConfiguration;
    case FindingKind::shared_memory_limit: return cudaErrorInvalidValue;
    case FindingKind::unsupported: return cudaErrorNotSupported;
    default: return cudaErrorLaunchFailure;
  }
}

const KernelFacts* ProgramState::kernel(std::uint64_t address) const {
  return setup_.kernel_at ? setup_.kernel_at(address - load_base_) : nullptr;
}

std::uint64_t ProgramState::shared_limit(std::uint64_t address, const KernelFacts& facts) const {
  const auto set = dynamic_shared_.find(address);
  const std::uint64_t usual =
      setup_.profile->shared_bytes_per_block -
      std::min<std::uint64_t>(setup_.profile->shared_bytes_per_block, facts.static_shared_bytes);
  return set == dynamic_shared_.end() ? usual
                                      : std::max(usual, static_cast<std::uint64_t>(set->second));
}

void ProgramState::kernel_call() {
  using enum Function;
  Reply& reply = answer_.reply;
  const auto call = call_.as<calls::Kernel>();
  const KernelFacts* facts = kernel(call.kernel);
  if (facts == nullptr && call_.function == argument_places) {
    reply = fail(cudaErrorInvalidDeviceFunction, FindingKind::invalid_launch, not_a_kernel);
    return;
  }
  if (facts == nullptr) {
    reply = fail(cudaErrorInvalidDeviceFunction, FindingKind::invalid_argument,
                 fmt::format("{} gets something that is not a kernel of this program. Pass a "
                             "`__global__` function",
                             function()));
    return;
  }
  const reference::DeviceProfile& profile = *setup_.profile;
  const std::uint32_t most_threads =
      facts->max_threads_per_block == 0
          ? profile.max_threads_per_block
          : std::min(facts->max_threads_per_block, profile.max_threads_per_block);
  const auto blocks_of = [&](std::uint64_t block_size, std::uint64_t shared) -> std::uint32_t {
    if (block_size > most_threads) return 0;
    return reference::occupancy(profile, block_size, facts->static_shared_bytes + shared).blocks;
  };
  const std::uint64_t no_dynamic =
      profile.shared_bytes_per_block_opt_in - facts->static_shared_bytes;
  const auto invalid = [&](std::string message) {
    reply = fail(cudaErrorInvalidValue, FindingKind::invalid_argument, std::move(message));
  };
  switch (call_.function) {
    case argument_places:
      for (const KernelParameter& parameter : facts->parameters)
        for (const ArgumentPlace& place : parameter.places) reply.add_to_text(place);
      break;
    case cudaFuncSetAttribute:
      if (call.what == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (call.value < 0 || static_cast<std::uint64_t>(call.value) > no_dynamic)
          return invalid(
              fmt::format("cudaFuncSetAttribute asks for {} bytes of dynamic shared "
                          "memory, but a block of {} can have at most {} ({}). Ask for "
                          "less",
                          call.value, facts->name, no_dynamic, profile.name));
        dynamic_shared_[call.kernel] = call.value;
      } else if (call.what < cudaFuncAttributeMaxDynamicSharedMemorySize ||
                 call.what >= cudaFuncAttributeMax) {
        return invalid(
            fmt::format("cudaFuncSetAttribute: there is no attribute {}. Use a value of "
                        "cudaFuncAttribute",
                        call.what));
      }
      break;
    case cudaFuncGetAttributes: {
      cudaFuncAttributes attributes{};
      attributes.sharedSizeBytes = facts->static_shared_bytes;
      attributes.maxThreadsPerBlock = static_cast<int>(most_threads);
      attributes.numRegs = registers_per_thread;
      attributes.ptxVersion = attributes.binaryVersion = profile.compute_capability;
      attributes.maxDynamicSharedSizeBytes = static_cast<int>(shared_limit(call.kernel, *facts));
      attributes.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
      reply.add_to_text(attributes);
      break;
    }
    case cudaOccupancyMaxActiveBlocksPerMultiprocessor:
    case cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
      if (call.block_size == 0 || call.block_size > 0x7fffffff)
        return invalid(fmt::format("{} gets a block of {} threads. Pass at least 1", function(),
                                   static_cast<std::int32_t>(call.block_size)));
      reply.values[0] = blocks_of(call.block_size, call.shared);
      break;
    case cudaOccupancyMaxPotentialBlockSize:
    case cudaOccupancyMaxPotentialBlockSizeWithFlags: {
      const std::uint32_t limit =
          call.value > 0
              ? static_cast<std::uint32_t>(std::min<std::int64_t>(call.value, most_threads))
              : most_threads;
      std::uint32_t most = 0;
      for (std::uint32_t size = limit; size > 0; size = (size - 1) / 32 * 32) {
        const std::uint32_t blocks = blocks_of(size, call.shared);
        if (blocks * size <= most) continue;
        most = blocks * size;
        reply.values[0] = std::uint64_t{blocks} * profile.multiprocessors;
        reply.values[1] = size;
      }
      break;
    }
    case cudaOccupancyAvailableDynamicSMemPerBlock: {
      if (call.value < 1 || call.block_size < 1)
        return invalid(fmt::format("{} needs at least one block of one thread", function()));
      const std::uint64_t unit = profile.shared_allocation_unit;
      const std::uint64_t each = profile.shared_bytes_per_multiprocessor /
                                 static_cast<std::uint64_t>(call.value) / unit * unit;
      const std::uint64_t taken =
          facts->static_shared_bytes + profile.shared_bytes_reserved_per_block;
      reply.values[0] = each < taken ? 0 : std::min(each - taken, no_dynamic);
      break;
    }
    default: break;  // hints
  }
}

void ProgramState::launch_call() {
  const auto call = call_.as<calls::Launch>();
  Reply& reply = answer_.reply;
  if (!known_stream(call.stream)) return;
  const KernelFacts* facts = kernel(call.kernel);
  if (facts == nullptr) {
    reply = fail(cudaErrorInvalidDeviceFunction, FindingKind::invalid_launch, not_a_kernel);
    return;
  }
  KernelLaunch launch;
  launch.kernel = call.kernel - load_base_;
  launch.facts = facts;
  launch.arguments = call_.arguments;
  launch.stream = call.stream;
  launch.cooperative = call_.function == Function::cudaLaunchCooperativeKernel;
  launch.caller = call_.caller;
  launch.line = line_of(call_.caller);
  launch.config.grid = {call.grid[0], call.grid[1], call.grid[2]};
  launch.config.block = {call.block[0], call.block[1], call.block[2]};
  launch.config.dynamic_shared_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(call.shared, 1u << 30));
  launch.config.shared_opt_in =
      call.shared <= shared_limit(call.kernel, *facts) && dynamic_shared_.contains(call.kernel);
  launch.config.profile = setup_.profile->name;
  if (std::optional<Finding> refused =
          emulator::refuse_launch(launch.config,
                                  {.static_shared_bytes = facts->static_shared_bytes,
                                   .max_threads_per_block = facts->max_threads_per_block,
                                   .is_cooperative = launch.cooperative},
                                  *setup_.profile)) {
    const bool too_large = launch.cooperative && refused->kind == FindingKind::invalid_launch &&
                           refused->message.find("resident") != std::string::npos;
    reply = fail(too_large                                      ? cudaErrorCooperativeLaunchTooLarge
                 : refused->kind == FindingKind::invalid_launch ? cudaErrorInvalidConfiguration
                 : refused->kind == FindingKind::shared_memory_limit ? cudaErrorInvalidValue
                                                                     : cudaErrorNotSupported,
                 refused->kind, std::move(refused->message));
    return;
  }
  if (facts->calls_grid_sync && !launch.cooperative)
    report(
        FindingKind::invalid_launch,
        fmt::format("the kernel {} calls grid.sync(), but this launch is not cooperative. Launch "
                    "it with cudaLaunchCooperativeKernel",
                    facts->name));
  check_pointers(launch);
  answer_.launch = std::move(launch);
}

void ProgramState::check_pointers(KernelLaunch& launch) {
  for (const KernelParameter& parameter : launch.facts->parameters) {
    const std::uint64_t address = pointer_of(launch.arguments, parameter);
    const Found found = find(address);
    if (found.variable != nullptr && found.begin != program_memory_begin + found.variable->offset) {
      const std::uint64_t on_device =
          address - found.begin + program_memory_begin + found.variable->offset;
      std::memcpy(bytes_of(launch.arguments, parameter.places[0]), &on_device, sizeof on_device);
    }
    if (found.place != Place::host) continue;
    const auto registered = registered_.upper_bound(address);
    const bool is_registered =
        registered != registered_.begin() &&
        address - std::prev(registered)->first < std::prev(registered)->second.bytes;
    const DeviceVariable* variable = variable_at(address);
    if (is_registered)
      report(FindingKind::unsupported,
             fmt::format("the kernel {} gets memory registered with cudaHostRegister as {}, which "
                         "the emulator does not support. Allocate it with cudaHostAlloc",
                         launch.facts->name, shown(parameter)));
    else if (variable != nullptr)
      report(FindingKind::invalid_device_pointer,
             fmt::format("the kernel {} gets the host's address of the variable {} as {}. Use the "
                         "variable in the kernel, or pass the address from cudaGetSymbolAddress",
                         launch.facts->name, variable->name, shown(parameter)));
    else
      report(FindingKind::invalid_device_pointer,
             fmt::format("the kernel {} gets host memory as {}. Copy it to memory from cudaMalloc, "
                         "and pass that",
                         launch.facts->name, shown(parameter)));
  }
}

std::vector<GuardedRange> ProgramState::used_by(const KernelLaunch& launch) {
  std::vector<GuardedRange> ranges;
  const auto add = [&](std::uint64_t address, bool reads) {
    const Found found = find(address);
    if (found.allocation == nullptr || !found.host_can_access() || found.allocation->freed) return;
    const auto known = std::ranges::find(ranges, found.begin, &GuardedRange::begin);
    if (known == ranges.end())
      ranges.push_back({found.begin, found.bytes, reads ? 1u : 0u, 0});
    else if (!reads)
      known->reads = 0;
  };
  for (const KernelParameter& parameter : launch.facts->parameters)
    if (parameter.is_pointer) add(pointer_of(launch.arguments, parameter), parameter.to_const);
  std::ranges::sort(ranges, {}, &GuardedRange::begin);
  return ranges;
}

bool ProgramState::is_visible(const Allocation& allocation, const KernelLaunch& launch) const {
  constexpr std::uint64_t last_frees = 32;
  if (!allocation.freed || allocation.free_number + last_frees > memory_.frees()) return true;
  const auto points_there = [&](std::uint64_t word) {
    return word - allocation.address() < allocation.bytes;
  };
  const emulator::RawArguments& arguments = launch.arguments;
  if (std::ranges::any_of(arguments.integers, points_there)) return true;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= arguments.stack.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &arguments.stack[at], sizeof word);
    if (points_there(word)) return true;
  }
  return false;
}

std::vector<emulator::ProgramAllocation> ProgramState::allocations_of(
    const KernelLaunch& launch) const {
  const Pointers pointers(launch);
  std::multimap<std::uint64_t, const KernelParameter*> parameters;
  for (const KernelParameter& parameter : launch.facts->parameters)
    if (parameter.is_pointer)
      parameters.emplace(pointer_of(launch.arguments, parameter), &parameter);
  std::vector<emulator::ProgramAllocation> all;
  for (const auto& [offset, allocation] : memory_.allocations()) {
    if (!is_visible(allocation, launch)) continue;
    emulator::ProgramAllocation& seen = all.emplace_back();
    seen.offset = offset;
    seen.bytes = allocation.bytes;
    seen.written = allocation.written;
    seen.is_freed = allocation.freed;
    if (allocation.freed) seen.freed_at = line_text(allocation.freed_at, {});
    seen.pointers = pointers.into(allocation);
    const auto [first, end] = parameters.equal_range(allocation.address());
    if (first != end) {
      // Two parameters may have one value: then the name of neither is right for both.
      if (std::next(first) == end) seen.name = first->second->name;
      seen.element_bytes = first->second->element_bytes;
    }
    if (seen.name.empty()) {
      const SourceLine line = line_of(allocation.made_at);
      if (setup_.text_of && line.line != 0)
        seen.name = result_variable(setup_.text_of(line), name(allocation.made_by));
      if (seen.name.empty())
        seen.name = line.line == 0 ? name(allocation.made_by)
                                   : fmt::format("{}@{}", name(allocation.made_by), line.line);
    }
  }
  return all;
}

Reply ProgramState::launched(const KernelLaunch& launch, LaunchResult result) {
  answer_ = {};
  Reply reply;
  timeline_.issue(launch.stream, Timeline::Engine::kernels, std::max(0.0, result.modelled_ms));
  // A launch prints the output of earlier kernels.
  reply.printed = std::exchange(printed_, std::move(result.printed));
  if (printed_.size() > most_text_bytes) printed_.resize(most_text_bytes);
  if (!printed_.empty()) printed_at_ = launch.caller;
  auto written = result.written.begin();
  for (auto& [offset, allocation] : memory_.allocations())
    if (written != result.written.end() && is_visible(allocation, launch))
      allocation.written = *written++;
  if (result.error != cudaSuccess) {
    if (kernel_error_ == 0) kernel_error_ = result.error;
    unchecked_.push_back({.caller = launch.caller,
                          .what = fmt::format("the kernel {}", launch.facts->name),
                          .error = result.error,
                          .by_result = false});
  }
  guard(reply, {.stream = launch.stream,
                .what = fmt::format("the kernel {}", launch.facts->name),
                .caller = launch.caller,
                .ranges = used_by(launch)});
  return reply;
}

}  // namespace histolab::kernels::program
