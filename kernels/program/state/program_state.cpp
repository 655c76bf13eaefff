// ProgramState: dispatch, errors, findings, devices, streams and events.
#include "kernels/program/state/program_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/program/state/cuda_values.h"
#include "kernels/program/state/device_facts.h"
#include "kernels/program/state/result_use.h"

namespace histolab::kernels::program {
namespace {

std::string name_of_error(int error) {
#define HISTOLAB_ERROR(name, value, text) \
  if (error == (value)) return #name;
  HISTOLAB_CUDA_ERRORS(HISTOLAB_ERROR)
#undef HISTOLAB_ERROR
  return "an unknown error";
}

// Functions that neither use the device nor return the error of an earlier kernel.
bool works_after_kernel_error(Function function) {
  using enum Function;
  switch (function) {
    case cudaGetLastError:
    case cudaPeekAtLastError:
    case cudaGetErrorName:
    case cudaGetErrorString:
    case cudaGetDeviceCount:
    case cudaGetDeviceProperties:
    case cudaDriverGetVersion:
    case cudaRuntimeGetVersion:
    case cudaDeviceReset:
    case cudaThreadExit:
    case hello:
    case fault: return true;
    default: return false;
  }
}

}  // namespace

ProgramState::ProgramState(ProgramSetup setup)
    : setup_(std::move(setup)),
      memory_(setup_.variables_end,
              std::min<std::uint64_t>(setup_.written.size() * 8, program_memory_bytes)),
      written_(setup_.written) {}

Answer ProgramState::call(const Call& call) {
  call_ = call;
  call_.caller -= load_base_;
  answer_ = {};
  if (sticky_error_ != 0 && !works_after_kernel_error(call.function)) {
    answer_.reply = fail(sticky_error_);
    return std::move(answer_);
  }
  switch (group_of(call.function)) {
    case Group::start: start_call(); break;
    case Group::device: device_call(); break;
    case Group::error: error_call(); break;
    case Group::stream: stream_call(); break;
    case Group::event: event_call(); break;
    case Group::kernel: kernel_call(); break;
    case Group::launch: launch_call(); break;
    case Group::allocation: allocation_call(); break;
    case Group::memory: memory_call(); break;
    case Group::fault: fault_call(); break;
  }
  for (const std::uint64_t operation : answer_.reply.completed) guards_.erase(operation);
  return std::move(answer_);
}

// ---- errors and findings ------------------------------------------------------------------------

Reply ProgramState::fail(int error) {
  Reply reply = std::move(answer_.reply);
  reply.error = error;
  if (error == cudaSuccess || error == cudaErrorNotReady) return reply;
  last_error_ = error;
  const std::optional<bool> used = result_is_used();
  if (used == true && call_.function != Function::launch) {
    looked_at_errors();
  } else if (error == sticky_error_) {
    // The kernel's error is in the list already. The program may have seen it now.
    for (Unchecked& each : unchecked_) each.by_result = each.by_result || !used;
  } else {
    unchecked_.push_back({.caller = call_.caller,
                          .what = call_.function == Function::launch ? "the launch" : function(),
                          .error = error,
                          .by_result = call_.function != Function::launch && !used});
  }
  return reply;
}

Reply ProgramState::fail(int error, FindingKind kind, std::string message, Severity severity) {
  report(kind, std::move(message), severity);
  return fail(error);
}

void ProgramState::report(FindingKind kind, std::string message, Severity severity) {
  report_at(call_.caller, kind, std::move(message), severity);
}

void ProgramState::report_at(std::uint64_t caller, FindingKind kind, std::string message,
                             Severity severity) {
  const SourceLine line = line_of(caller);
  Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.file = line.file;
  finding.line = line.line;
  finding.message = std::move(message);
  for (Finding& known : findings_)
    if (same_cause(known, finding)) return merge(known, finding);
  findings_.push_back(std::move(finding));
}

void ProgramState::looked_at_errors() { unchecked_.clear(); }

std::optional<bool> ProgramState::result_is_used() const {
  if (!setup_.text_of) return std::nullopt;
  const SourceLine line = line_of(call_.caller);
  return uses_result(setup_.text_of({line.file, line.line - 1}), setup_.text_of(line), function());
}

void ProgramState::waited(const std::vector<std::uint64_t>& completed) {
  Reply& reply = answer_.reply;
  reply.completed.insert(reply.completed.end(), completed.begin(), completed.end());
  reply.printed += std::exchange(printed_, {});
}

int ProgramState::surface_kernel_error() {
  if (kernel_error_ != 0) sticky_error_ = std::exchange(kernel_error_, 0);
  return sticky_error_;
}

SourceLine ProgramState::line_of(std::uint64_t caller) const {
  if (!setup_.line_of || caller == 0) return {};
  constexpr std::size_t most_lines = 1 << 16;  // of a program that sends any address
  const auto known = lines_.find(caller);
  if (known != lines_.end()) return known->second;
  if (lines_.size() == most_lines) lines_.clear();
  return lines_[caller] = setup_.line_of(caller);
}

std::string ProgramState::line_text(std::uint64_t caller, const std::string& file) const {
  const SourceLine line = line_of(caller);
  if (line.line == 0) return {};
  if (line.file == file) return fmt::format("line {}", line.line);
  return fmt::format("{}:{}", line.file.substr(line.file.rfind('/') + 1), line.line);
}

std::string ProgramState::describe(const Allocation& allocation, const std::string& file) const {
  const std::string line = line_text(allocation.made_at, file);
  return fmt::format("memory from {}{}", name(allocation.made_by),
                     line.empty() ? "" : fmt::format(" ({})", line));
}

std::string ProgramState::here(const Allocation& allocation) const {
  return describe(allocation, file_of_call());
}

void ProgramState::error_call() {
  Reply& reply = answer_.reply;
  if (call_.function == Function::cudaGetErrorName ||
      call_.function == Function::cudaGetErrorString)
    return looked_at_errors();
  reply.error = last_error_;
  if (last_error_ != 0) looked_at_errors();
  if (call_.function == Function::cudaGetLastError) last_error_ = 0;
}

void ProgramState::ended(ProgramEnd end) {
  // A program that crashed or reports a failure did not get to free its memory.
  if (!end.exited || end.status != 0) return;
  // After a kernel's error, cudaFree fails.
  for (const auto& [offset, allocation] : memory_.allocations())
    if (!allocation.freed && sticky_error_ == 0)
      report_at(
          allocation.made_at, FindingKind::leak,
          fmt::format("{} bytes from {} are never freed. Call {} when they are no longer used",
                      allocation.bytes, name(allocation.made_by),
                      allocation.kind == Allocation::Kind::pinned ? "cudaFreeHost" : "cudaFree"),
          Severity::note);
  for (const Unchecked& each : unchecked_)
    report_at(each.caller, FindingKind::unchecked_error,
              fmt::format("{} fails with {}, and the program {} the error. Check the result of "
                          "each call, and cudaGetLastError after each launch",
                          each.what, name_of_error(each.error),
                          each.by_result ? "may not have noticed" : "never looks at"),
              each.by_result ? Severity::note : Severity::error);
  unchecked_.clear();
  if (!printed_.empty())
    report_at(
        printed_at_, FindingKind::missing_synchronization,
        "the program ends without waiting for this kernel, so a GPU may not print its output. "
        "Call cudaDeviceSynchronize after the launch",
        Severity::error);
}

void ProgramState::fault_call() {
  const auto fault = call_.as<calls::Fault>();
  for (const std::uint64_t caller : fault.callers) {
    if (caller == 0) break;
    call_.caller = caller - load_base_;
    if (line_of(call_.caller).line != 0) break;
  }
  if (fault.kind == calls::Fault::refused_write) {
    write_refused_ = true;
    return;
  }
  if (fault.kind != calls::Fault::access)
    return report(FindingKind::illegal_instruction,
                  "host code calls a device function, or uses a built-in variable such as "
                  "threadIdx: nvcc rejects this. Use it only in kernels and device functions");
  const char* verb = fault.writes != 0 ? "writes" : "reads";
  if (const auto guard = guards_.find(fault.operation); guard != guards_.end()) {
    const std::string line = line_text(guard->second.caller, file_of_call());
    return report(
        FindingKind::missing_synchronization,
        fmt::format("the host {} memory that {}{} may still use. Call "
                    "cudaDeviceSynchronize or cudaStreamSynchronize first",
                    verb, guard->second.what, line.empty() ? "" : fmt::format(" ({})", line)));
  }
  const Found found = find(fault.address);
  if (!found.on_device()) {
    if (fault.copying != 0)
      report(FindingKind::invalid_copy,
             fmt::format("the copy {} host memory that the program may not {}. Compare the size of "
                         "the copy with that of the host's array",
                         verb, fault.writes != 0 ? "write" : "read"));
    return;
  }
  if (found.allocation == nullptr)
    return report(FindingKind::host_access_of_device_memory,
                  fmt::format("the host {} an address of device memory. Copy the data with "
                              "cudaMemcpy first",
                              verb));
  const Allocation& allocation = *found.allocation;
  if (allocation.freed)
    return report(FindingKind::use_after_free,
                  fmt::format("the host {} {}, but {} ({}) has freed it. Free it later", verb,
                              here(allocation), name(allocation.freed_by),
                              line_text(allocation.freed_at, file_of_call())));
  if (allocation.host_can_access())
    return report(FindingKind::out_of_bounds,
                  fmt::format("the host {} byte {} of {}, which has {} bytes. Compare the index "
                              "with the size of the array",
                              verb, static_cast<std::int64_t>(fault.address - allocation.address()),
                              here(allocation), allocation.bytes));
  report(FindingKind::host_access_of_device_memory,
         fmt::format("the host {} {}, which only kernels can access. Copy it with cudaMemcpy, or "
                     "allocate it with cudaMallocManaged",
                     verb, here(allocation)));
}

// ---- the device ---------------------------------------------------------------------------------

void ProgramState::start_call() {
  const auto call = call_.as<calls::Hello>();
  load_base_ = call.load_base;
  if (call.version != protocol_version) answer_.reply.error = cudaErrorInsufficientDriver;
  answer_.reply.values[0] = static_cast<std::uint64_t>(setup_.memory_descriptor);
  for (const SharedVariables& each : setup_.shared_variables) answer_.reply.add_to_text(each);
}

void ProgramState::device_call() {
  using enum Function;
  Reply& reply = answer_.reply;
  const auto call = call_.as<calls::Device>();
  const auto device = static_cast<std::int32_t>(call.device);
  const auto no_device = [&] {
    reply = fail(cudaErrorInvalidDevice, FindingKind::invalid_argument,
                 fmt::format("{} gets device {}, but the only device is 0. Use device 0",
                             function(), device));
  };
  switch (call_.function) {
    case cudaGetDeviceCount: reply.values[0] = 1; break;
    case cudaGetDevice:
    case cudaChooseDevice: reply.values[0] = 0; break;
    case cudaSetDevice:
    case cudaInitDevice:
      if (device != 0) no_device();
      break;
    case cudaGetDeviceProperties:
      if (device != 0) return no_device();
      reply.add_to_text(properties_of(*setup_.profile, memory_.all_bytes()));
      break;
    case cudaDeviceGetAttribute: {
      if (device != 0) return no_device();
      const std::optional<int> value = attribute_of(
          properties_of(*setup_.profile, memory_.all_bytes()), static_cast<int>(call.what));
      if (!value)
        reply = fail(cudaErrorInvalidValue, FindingKind::invalid_argument,
                     fmt::format("cudaDeviceGetAttribute: there is no attribute {}. Use a value of "
                                 "cudaDeviceAttr",
                                 static_cast<int>(call.what)));
      else
        reply.values[0] = static_cast<std::uint64_t>(*value);
      break;
    }
    case cudaDeviceCanAccessPeer:
      if (device != 0 || call.what != 0) reply = fail(cudaErrorInvalidDevice);
      break;
    case cudaDeviceEnablePeerAccess:
    case cudaDeviceDisablePeerAccess:
      reply = fail(device == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
      break;
    case cudaDeviceGetP2PAttribute: reply = fail(cudaErrorInvalidDevice); break;
    case cudaDeviceGetStreamPriorityRange:
      reply.values[0] = 0;
      reply.values[1] = static_cast<std::uint64_t>(-5);
      break;
    case cudaDeviceSetLimit:
    case cudaDeviceGetLimit: {
      static constexpr std::uint64_t defaults[] = {1024, 8'650'752, 8 << 20, 0, 2048, 64, 0};
      if (call.what >= std::size(defaults) || call.what == cudaLimitDevRuntimeSyncDepth)
        reply = fail(cudaErrorUnsupportedLimit);
      else if (call_.function == cudaDeviceSetLimit)
        limits_[call.what] = call.value;
      else
        reply.values[0] = limits_.contains(call.what) ? limits_[call.what] : defaults[call.what];
      break;
    }
    case cudaSetDeviceFlags: device_flags_ = call.value; break;
    case cudaGetDeviceFlags: reply.values[0] = device_flags_; break;
    case cudaDeviceSynchronize:
    case cudaThreadSynchronize:
      waited(timeline_.synchronize_all());
      reply = fail(surface_kernel_error());
      break;
    case cudaDeviceReset:
    case cudaThreadExit: {
      waited(timeline_.synchronize_all());
      timeline_.reset();
      for (auto& [offset, allocation] : memory_.allocations()) {
        if (allocation.freed) continue;
        report_at(allocation.made_at, FindingKind::leak,
                  fmt::format("{} bytes from {} are not freed before {}. Call cudaFree first",
                              allocation.bytes, name(allocation.made_by), function()),
                  Severity::note);
        release(allocation);
      }
      dynamic_shared_.clear();
      limits_.clear();
      kernel_error_ = sticky_error_ = 0;
      break;
    }
    default: break;  // functions without effect
  }
}

// ---- streams and events -------------------------------------------------------------------------

bool ProgramState::known_stream(std::uint64_t stream) {
  if (timeline_.stream(stream) != nullptr) return true;
  answer_.reply =
      fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
           fmt::format("{} gets a stream that {}. Create it with cudaStreamCreate first, and "
                       "destroy it last",
                       function(),
                       timeline_.was_destroyed(stream) ? "was destroyed" : "does not exist"));
  return false;
}

void ProgramState::stream_call() {
  using enum Function;
  Reply& reply = answer_.reply;
  const auto call = call_.as<calls::Stream>();
  switch (call_.function) {
    case cudaStreamCreate:
    case cudaStreamCreateWithFlags:
    case cudaStreamCreateWithPriority:
      if (call.flags > cudaStreamNonBlocking) {
        reply = fail(cudaErrorInvalidValue);
        return;
      }
      if (timeline_.is_full()) {
        reply = fail(cudaErrorMemoryAllocation);
        return;
      }
      reply.values[0] = timeline_.create_stream(
          static_cast<std::uint32_t>(call.flags),
          static_cast<std::int32_t>(std::clamp<std::int64_t>(call.priority, -5, 0)));
      return;
    default: break;
  }
  if (!known_stream(call.stream)) return;
  switch (call_.function) {
    case cudaStreamDestroy:
      if (call.stream <= Timeline::per_thread_stream)
        reply = fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
                     "cudaStreamDestroy gets the default stream. Destroy only streams from "
                     "cudaStreamCreate");
      else
        timeline_.destroy_stream(call.stream);
      break;
    case cudaStreamQuery:
    case cudaStreamSynchronize:
      waited(timeline_.synchronize_stream(call.stream));
      reply = fail(surface_kernel_error());
      break;
    case cudaStreamAddCallback:
    case cudaLaunchHostFunc: reply.completed = timeline_.complete_stream(call.stream); break;
    case cudaStreamWaitEvent:
      if (timeline_.event(call.event) == nullptr)
        reply = fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
                     "cudaStreamWaitEvent gets an event that does not exist. Create it with "
                     "cudaEventCreate first, and destroy it last");
      else
        timeline_.wait_for_event(call.stream, call.event);
      break;
    case cudaStreamGetFlags: reply.values[0] = timeline_.stream(call.stream)->flags; break;
    case cudaStreamGetPriority:
      reply.values[0] = static_cast<std::uint64_t>(timeline_.stream(call.stream)->priority);
      break;
    default: break;
  }
}

void ProgramState::event_call() {
  using enum Function;
  Reply& reply = answer_.reply;
  const auto call = call_.as<calls::Event>();
  if (call_.function == cudaEventCreate || call_.function == cudaEventCreateWithFlags) {
    if (timeline_.is_full())
      reply = fail(cudaErrorMemoryAllocation);
    else
      reply.values[0] = timeline_.create_event(static_cast<std::uint32_t>(call.flags));
    return;
  }
  const auto known = [&](std::uint64_t handle) {
    if (timeline_.event(handle) != nullptr) return true;
    reply = fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
                 fmt::format("{} gets an event that {}. Create it with cudaEventCreate first, and "
                             "destroy it last",
                             function(),
                             timeline_.was_destroyed(handle) ? "was destroyed" : "does not exist"));
    return false;
  };
  if (!known(call.event)) return;
  Timeline::Event& event = *timeline_.event(call.event);
  switch (call_.function) {
    case cudaEventDestroy: timeline_.destroy_event(call.event); break;
    case cudaEventRecord:
    case cudaEventRecordWithFlags:
      if (known_stream(call.stream)) reply.completed = timeline_.record(call.event, call.stream);
      break;
    case cudaEventQuery:
    case cudaEventSynchronize:
      if (!event.recorded) break;  // CUDA counts it as complete
      waited(timeline_.synchronize_event(call.event));
      reply = fail(surface_kernel_error());
      break;
    case cudaEventElapsedTime: {
      if (!known(call.end)) return;
      const Timeline::Event& end = *timeline_.event(call.end);
      if (((event.flags | end.flags) & cudaEventDisableTiming) != 0) {
        reply = fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
                     "cudaEventElapsedTime gets an event with cudaEventDisableTiming, which has no "
                     "time. Create both events with cudaEventCreate");
      } else if (!event.recorded || !end.recorded) {
        reply = fail(cudaErrorInvalidResourceHandle, FindingKind::invalid_argument,
                     "cudaEventElapsedTime gets an event that was never recorded. Call "
                     "cudaEventRecord before and after the work");
      } else if (!timeline_.is_complete(event) || !timeline_.is_complete(end)) {
        reply = fail(cudaErrorNotReady, FindingKind::missing_synchronization,
                     "cudaEventElapsedTime is called while the work before the event may still "
                     "run: it returns cudaErrorNotReady. Call cudaEventSynchronize first");
      } else {
        const auto ms = static_cast<float>(end.ms - event.ms);
        std::memcpy(&reply.values[0], &ms, sizeof ms);
      }
      break;
    }
    default: break;
  }
}

}  // namespace histolab::kernels::program
