// ProgramState: allocations, copies and memory sets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "kernels/program/state/cuda_values.h"
#include "kernels/program/state/device_facts.h"
#include "kernels/program/state/program_state.h"

namespace histolab::kernels::program {
namespace {

constexpr std::array kind_names = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                   "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                   "cudaMemcpyDefault"};
constexpr std::uint64_t row_alignment = 512;
constexpr double copy_start_ms = 0.008;

// More bytes than any memory has.
constexpr std::uint64_t too_many = std::uint64_t{1} << 46;

// Returns the product, or too_many if it is larger.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t found = 0;
  return __builtin_mul_overflow(a, b, &found) ? too_many : std::min(found, too_many);
}

// Returns the bytes from the first to the last one of `depth` slices of `height` rows, or too_many.
std::uint64_t span_of(const calls::Copy& copy, std::uint64_t pitch, std::uint64_t slice) {
  const std::uint64_t rows = product(copy.height - 1, pitch),
                      slices = product(copy.depth - 1, slice);
  return std::min(std::min(copy.width, too_many) + rows + slices, too_many);
}

bool is_asynchronous(Function function) {
  return std::string_view(name(function)).ends_with("Async");
}

// Calls f with the offset of each row in the memory file.
template <class F>
void each_row(std::uint64_t address, const calls::Copy& copy, std::uint64_t pitch,
              std::uint64_t slice, F&& f) {
  for (std::uint64_t z = 0; z < copy.depth; ++z)
    for (std::uint64_t y = 0; y < copy.height; ++y)
      f(address - program_memory_begin + z * slice + y * pitch, z * copy.height + y);
}

}  // namespace

ProgramState::Found ProgramState::find(std::uint64_t address) {
  Found found;
  if (address == 0) {
    found.place = Place::null;
    return found;
  }
  if (address - program_memory_begin >= setup_.written.size() * 8) {
    // The host's own variable is the managed one.
    const DeviceVariable* variable = variable_at(address);
    if (variable == nullptr || !variable->is_managed) return found;
    found.place = Place::variable;
    found.variable = variable;
    found.begin = load_base_ + variable->host_begin;
    found.bytes = variable->bytes;
    return found;
  }
  const std::uint64_t offset = address - program_memory_begin;
  for (const DeviceVariable& variable : setup_.variables)
    if (offset - variable.offset < variable.bytes) {
      found.place = Place::variable;
      found.variable = &variable;
      found.begin = program_memory_begin + variable.offset;
      found.bytes = variable.bytes;
      return found;
    }
  found.place = Place::nowhere;
  found.allocation = memory_.find(address);
  if (found.allocation == nullptr) return found;
  found.begin = found.allocation->address();
  found.bytes = found.allocation->bytes;
  found.place = found.allocation->kind == Allocation::Kind::device    ? Place::device
                : found.allocation->kind == Allocation::Kind::managed ? Place::managed
                                                                      : Place::pinned;
  return found;
}

const DeviceVariable* ProgramState::variable_at(std::uint64_t host_address, bool is_symbol) const {
  const std::uint64_t relative = host_address - load_base_;
  for (const DeviceVariable& variable : setup_.variables)
    if (relative - variable.host_begin < variable.bytes && (is_symbol || !variable.may_be_host))
      return &variable;
  return nullptr;
}

// ---- allocations --------------------------------------------------------------------------------

void ProgramState::allocation_call() {
  using enum Function;
  switch (call_.function) {
    case cudaFree:
    case cudaFreeAsync: return free_device();
    case cudaFreeHost: return free_pinned();
    case cudaMallocHost:
    case cudaHostAlloc: return allocate(Allocation::Kind::pinned, 0);
    case cudaMallocManaged: return allocate(Allocation::Kind::managed, 0);
    case cudaMallocPitch:
    case cudaMalloc3D: return allocate(Allocation::Kind::device, row_alignment);
    default: return allocate(Allocation::Kind::device, 0);
  }
}

void ProgramState::allocate(Allocation::Kind kind, std::uint64_t row) {
  Reply& reply = answer_.reply;
  const auto call = call_.as<calls::Allocate>();
  if (call.result == 0) {
    reply = fail(cudaErrorInvalidValue, FindingKind::invalid_argument,
                 fmt::format("{} gets a null pointer for its result. Pass the address of a pointer",
                             function()));
    return;
  }
  if (call_.function == Function::cudaMallocAsync && !known_stream(call.stream)) return;
  if (call.width == 0 || call.height == 0 || call.depth == 0) return;
  const std::uint64_t pitch =
      row == 0 ? call.width : product((std::min(call.width, too_many) + row - 1) / row, row);
  const std::uint64_t all = product(product(pitch, call.height), call.depth);
  if (all > memory_.all_bytes() - memory_.used_bytes()) {
    reply = fail(cudaErrorMemoryAllocation);
    return;
  }
  if (all > most_allocation_bytes) {
    reply = fail(cudaErrorMemoryAllocation, FindingKind::unsupported,
                 fmt::format("{} asks for {} bytes, but the emulator allocates at most {} at once. "
                             "Try it with less data",
                             function(), all, most_allocation_bytes));
    return;
  }
  Allocation* made = memory_.allocate(kind, all);
  if (made == nullptr) {
    reply = fail(cudaErrorMemoryAllocation);
    return;
  }
  made->flags = static_cast<std::uint32_t>(call.flags);
  made->made_by = call_.function;
  made->made_at = call_.caller;
  reply.values[0] = made->address();
  reply.values[1] = pitch;
}

void ProgramState::release(Allocation& allocation) {
  memory_.free(allocation);
  allocation.freed_by = call_.function;
  allocation.freed_at = call_.caller;
  answer_.released.push_back({allocation.offset, allocation.bytes});
}

void ProgramState::free_device() {
  const auto call = call_.as<calls::Pointer>();
  Reply& reply = answer_.reply;
  if (call_.function == Function::cudaFree) {
    waited(timeline_.synchronize_all());
    if (surface_kernel_error() != 0) {
      reply = fail(sticky_error_);
      return;
    }
  }
  const Found found = find(call.address);
  if (found.place == Place::null) return;
  const auto invalid = [&](std::string message) {
    reply = fail(cudaErrorInvalidValue, FindingKind::invalid_free, std::move(message));
  };
  if (found.place == Place::host)
    return invalid(
        variable_at(call.address) != nullptr
            ? fmt::format("{} gets the address of the variable {}. Free only memory from "
                          "cudaMalloc",
                          function(), variable_at(call.address)->name)
            : fmt::format("{} gets host memory. Free memory from malloc with free, and "
                          "memory from new with delete",
                          function()));
  if (found.place == Place::variable)
    return invalid(
        fmt::format("{} gets the address of the variable {}. Free only memory from "
                    "cudaMalloc",
                    function(), found.variable->name));
  if (found.allocation == nullptr)
    return invalid(
        fmt::format("{} gets an address that cudaMalloc did not return. Pass a pointer "
                    "from cudaMalloc",
                    function()));
  Allocation& allocation = *found.allocation;
  const std::string what = here(allocation);
  if (call.address != allocation.address())
    return invalid(fmt::format(
        "{} gets an address {} bytes {} the start of {}. Pass the pointer "
        "that {} returned",
        function(),
        call.address > allocation.address() ? call.address - allocation.address()
                                            : allocation.address() - call.address,
        call.address > allocation.address() ? "after" : "before", what, name(allocation.made_by)));
  if (allocation.freed)
    return invalid(
        fmt::format("{} gets {}, but {} ({}) has freed it already. Free each allocation "
                    "once",
                    function(), what, name(allocation.freed_by),
                    line_text(allocation.freed_at, file_of_call())));
  if (allocation.kind == Allocation::Kind::pinned)
    return invalid(fmt::format("{} gets {}. Free it with cudaFreeHost", function(), what));
  release(allocation);
}

void ProgramState::free_pinned() {
  const auto call = call_.as<calls::Pointer>();
  const Found found = find(call.address);
  Reply& reply = answer_.reply;
  if (found.place == Place::null) return;
  waited(timeline_.synchronize_all());
  const auto invalid = [&](std::string message) {
    reply = fail(cudaErrorInvalidValue, FindingKind::invalid_free, std::move(message));
  };
  if (found.allocation == nullptr)
    return invalid(
        "cudaFreeHost gets memory that is not from cudaMallocHost. Free memory from malloc "
        "with free, and memory from new with delete");
  Allocation& allocation = *found.allocation;
  const std::string what = here(allocation);
  if (allocation.kind != Allocation::Kind::pinned)
    return invalid(fmt::format("cudaFreeHost gets {}. Free it with cudaFree", what));
  if (allocation.freed)
    return invalid(
        fmt::format("cudaFreeHost gets {}, but line {} has freed it already. Free each "
                    "allocation once",
                    what, line_of(allocation.freed_at).line));
  if (call.address != allocation.address())
    return invalid(
        fmt::format("cudaFreeHost gets an address inside {}. Pass the pointer that {} "
                    "returned",
                    what, name(allocation.made_by)));
  release(allocation);
}

// ---- copies -------------------------------------------------------------------------------------

void ProgramState::memory_call() {
  using enum Function;
  Reply& reply = answer_.reply;
  const auto pointer = call_.as<calls::Pointer>();
  switch (call_.function) {
    case cudaMemcpyToSymbol:
    case cudaMemcpyToSymbolAsync:
    case cudaMemcpyFromSymbol:
    case cudaMemcpyFromSymbolAsync: return copy_symbol();
    case cudaMemset:
    case cudaMemset2D:
    case cudaMemset2DAsync:
    case cudaMemset3D:
    case cudaMemset3DAsync:
    case cudaMemsetAsync: return set();
    case cudaMemGetInfo:
      reply.values[0] = memory_.all_bytes() - memory_.used_bytes();
      reply.values[1] = memory_.all_bytes();
      return;
    case cudaGetSymbolAddress:
    case cudaGetSymbolSize: {
      const DeviceVariable* variable = variable_at(call_.as<calls::Symbol>().symbol, true);
      if (variable == nullptr) {
        reply = fail(cudaErrorInvalidSymbol, FindingKind::invalid_argument,
                     fmt::format("{} gets something that is not a variable of the device. Pass a "
                                 "`__device__` or `__constant__` variable itself",
                                 function()));
        return;
      }
      reply.values[0] = program_memory_begin + variable->offset;
      reply.values[1] = variable->bytes;
      return;
    }
    case cudaHostRegister: {
      if (pointer.address == 0 || pointer.bytes == 0) {
        reply = fail(cudaErrorInvalidValue);
        return;
      }
      const auto next = registered_.lower_bound(pointer.address + pointer.bytes);
      if (next != registered_.begin() &&
          std::prev(next)->first + std::prev(next)->second.bytes > pointer.address)
        reply = fail(cudaErrorHostMemoryAlreadyRegistered, FindingKind::invalid_argument,
                     "cudaHostRegister gets memory that is registered already. Register it once");
      else
        registered_[pointer.address] = {pointer.bytes, pointer.flags};
      return;
    }
    case cudaHostUnregister:
      if (registered_.erase(pointer.address) == 0)
        reply = fail(cudaErrorHostMemoryNotRegistered, FindingKind::invalid_argument,
                     "cudaHostUnregister gets memory that is not registered. Pass the pointer that "
                     "cudaHostRegister got");
      return;
    case cudaHostGetDevicePointer:
    case cudaHostGetFlags: {
      const Found found = find(pointer.address);
      if (found.place == Place::pinned && !found.allocation->freed) {
        reply.values[0] =
            call_.function == cudaHostGetFlags ? found.allocation->flags : pointer.address;
        return;
      }
      const auto registered = registered_.find(pointer.address);
      if (registered == registered_.end())
        reply =
            fail(cudaErrorInvalidValue, FindingKind::invalid_argument,
                 fmt::format("{} needs memory from cudaHostAlloc or cudaMallocHost. Allocate the "
                             "memory with one of them",
                             function()));
      else if (call_.function == cudaHostGetFlags)
        reply.values[0] = registered->second.flags;
      else
        reply = fail(cudaErrorNotSupported, FindingKind::unsupported,
                     "kernels in the emulator cannot use memory registered with cudaHostRegister. "
                     "Allocate it with cudaHostAlloc");
      return;
    }
    case cudaMemPrefetchAsync:
    case cudaMemAdvise: {
      const Found found = find(pointer.address);
      const auto device = static_cast<std::int32_t>(pointer.device);
      if (device != 0 && device != cudaCpuDeviceId)
        reply = fail(cudaErrorInvalidDevice);
      else if (found.place != Place::managed &&
               !(found.variable != nullptr && found.variable->is_managed))
        reply = fail(
            cudaErrorInvalidValue, FindingKind::invalid_argument,
            fmt::format("{} needs managed memory. Allocate it with cudaMallocManaged", function()));
      else if (call_.function == cudaMemPrefetchAsync)
        (void)known_stream(pointer.stream);
      return;
    }
    case cudaPointerGetAttributes: {
      const Found found = find(pointer.address);
      cudaPointerAttributes attributes{};
      attributes.device = cudaInvalidDeviceId;
      if (found.on_device() && found.place != Place::nowhere &&
          (found.allocation == nullptr || !found.allocation->freed)) {
        attributes.device = 0;
        attributes.type = found.place == Place::pinned ? cudaMemoryTypeHost
                          : found.host_can_access()    ? cudaMemoryTypeManaged
                                                       : cudaMemoryTypeDevice;
        attributes.devicePointer = reinterpret_cast<void*>(pointer.address);
        if (found.host_can_access()) attributes.hostPointer = attributes.devicePointer;
      }
      reply.add_to_text(attributes);
      return;
    }
    default: return copy(call_.as<calls::Copy>(), is_asynchronous(call_.function));
  }
}

bool ProgramState::check_direction(const calls::Copy& copy, const Found& destination,
                                   const Found& source, bool note_places) {
  if (copy.kind == cudaMemcpyDefault) return true;
  const struct {
    const char* role;
    const Found& found;
    bool is_device_side;
  } sides[] = {{"destination", destination,
                copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice},
               {"source", source,
                copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice}};
  const char* right = kind_names[(source.place == Place::host ? 0u : 2u) +
                                 (destination.place == Place::host ? 0u : 1u)];
  const std::string call = fmt::format("{} with {}", function(), kind_names[copy.kind]);
  const bool swapped = sides[0].is_device_side != sides[1].is_device_side &&
                       (destination.place == Place::host) == sides[0].is_device_side &&
                       (source.place == Place::host) == sides[1].is_device_side;
  for (const auto& side : sides) {
    if (!side.is_device_side || side.found.place != Place::host) continue;
    answer_.reply = fail(
        cudaErrorInvalidValue, FindingKind::invalid_copy,
        swapped
            ? fmt::format("{} gets {} memory as the destination and {} memory as the source. Write "
                          "the destination first, or use {}",
                          call, sides[0].is_device_side ? "host" : "device",
                          sides[0].is_device_side ? "device" : "host", right)
            : fmt::format(
                  "{} gets host memory as the {}. Pass a pointer from cudaMalloc, or use {}", call,
                  side.role, right));
    return false;
  }
  for (const auto& side : sides)
    if (note_places && !side.is_device_side && side.found.on_device() &&
        !side.found.host_can_access())
      report(FindingKind::invalid_copy,
             fmt::format("{} gets device memory as the {}: the copy works only because host and "
                         "device share their addresses. Use {}",
                         call, side.role, right),
             Severity::note);
  return true;
}

bool ProgramState::check_range(const Found& found, const Side& side, std::uint64_t bytes,
                               const char* verb) {
  const FindingKind wrong =
      std::string_view(verb) == "sets" ? FindingKind::invalid_argument : FindingKind::invalid_copy;
  const auto invalid = [&](FindingKind kind, std::string message) {
    answer_.reply = fail(cudaErrorInvalidValue, kind, std::move(message));
    return false;
  };
  if (found.place == Place::host) return true;
  if (found.place == Place::null)
    return invalid(wrong, fmt::format("{} gets a null pointer as the {}. Pass allocated memory",
                                      function(), side.role));
  if (found.place == Place::nowhere)
    return invalid(wrong,
                   fmt::format("{} gets an address as the {} that is not in any allocation. Pass "
                               "a pointer from cudaMalloc",
                               function(), side.role));
  const std::string what = found.variable != nullptr
                               ? fmt::format("the variable {}", found.variable->name)
                               : here(*found.allocation);
  if (found.allocation != nullptr && found.allocation->freed)
    return invalid(FindingKind::use_after_free,
                   fmt::format("{} uses {} as the {}, but {} ({}) has freed it. Free it later",
                               function(), what, side.role, name(found.allocation->freed_by),
                               line_text(found.allocation->freed_at, file_of_call())));
  const auto offset = static_cast<std::int64_t>(side.address - found.begin);
  if (offset < 0 || static_cast<std::uint64_t>(offset) >= found.bytes)
    return invalid(
        wrong, fmt::format("{} gets an address as the {} that is {} bytes {} {}. Pass an "
                           "address in the allocation",
                           function(), side.role,
                           offset < 0 ? -offset : offset - static_cast<std::int64_t>(found.bytes),
                           offset < 0 ? "before" : "past the end of", what));
  const std::uint64_t left = found.bytes - static_cast<std::uint64_t>(offset);
  if (bytes <= left) return true;
  const std::string at = offset == 0 ? std::string{} : fmt::format(" at byte {}", offset);
  return invalid(wrong, fmt::format("{} {} {} bytes{} of {}, which has {} bytes. Use at most {} "
                                    "bytes, or allocate more",
                                    function(), verb, bytes, at, what, found.bytes, left));
}

void ProgramState::check_written(const Found& source, const calls::Copy& copy) {
  if (source.allocation == nullptr || source.allocation->host_can_access()) return;
  std::uint64_t unwritten = 0, first = 0;
  each_row(copy.source, copy, copy.source_pitch, copy.source_slice,
           [&](std::uint64_t offset, std::uint64_t) {
             const std::uint64_t end = offset + copy.width;
             std::uint64_t at = written_.first(false, offset, copy.width);
             if (at != end && unwritten == 0) first = at;
             while (at != end) {
               const std::uint64_t next = written_.first(true, at, end - at);
               unwritten += next - at;
               at = written_.first(false, next, end - next);
             }
           });
  if (unwritten == 0) return;
  const std::uint64_t all = copy.width * copy.height * copy.depth;
  report(FindingKind::uninitialized_copy,
         unwritten == all
             ? fmt::format("{} copies {} bytes of {} to the host, but nothing was ever written "
                           "there. Check that the kernel ran and wrote its result there",
                           function(), all, here(*source.allocation))
             : fmt::format("{} copies {} bytes of {} to the host, but {} of them were never "
                           "written, the first at byte {}. Write all of them, or copy fewer",
                           function(), all, here(*source.allocation), unwritten,
                           first - source.allocation->offset));
}

void ProgramState::note_written(const Found& found, bool whole) {
  if (found.allocation == nullptr) return;
  emulator::WrittenState& written = found.allocation->written;
  if (whole) written = emulator::WrittenState::all;
  if (written == emulator::WrittenState::none) written = emulator::WrittenState::some;
}

bool ProgramState::check_rows(const calls::Copy& copy, std::uint64_t pitch, std::uint64_t slice) {
  constexpr std::uint64_t most_rows = 1 << 24;  // a quarter of a second for this process
  if (copy.depth > 1 && slice < product(copy.height, pitch)) {
    answer_.reply = fail(
        cudaErrorInvalidValue, FindingKind::invalid_argument,
        fmt::format("{} gets slices of {} rows, but the pointer's ysize says {}. It is at least "
                    "the number of rows",
                    function(), copy.height, pitch == 0 ? 0 : slice / pitch));
    return false;
  }
  if (product(copy.height, copy.depth) <= most_rows) return true;
  answer_.reply =
      fail(cudaErrorInvalidValue, FindingKind::unsupported,
           fmt::format("{} gets {} rows, but the emulator takes at most {} at once. Use fewer and "
                       "longer rows",
                       function(), product(copy.height, copy.depth), most_rows));
  return false;
}

void ProgramState::copy(const calls::Copy& copy, bool asynchronous, bool note_places) {
  Reply& reply = answer_.reply;
  if (copy.kind > cudaMemcpyDefault) {
    reply = fail(cudaErrorInvalidMemcpyDirection, FindingKind::invalid_copy,
                 fmt::format("{} gets the direction {}, which does not exist. Use a value of "
                             "cudaMemcpyKind",
                             function(), static_cast<std::int64_t>(copy.kind)));
    return;
  }
  if (!known_stream(copy.stream)) return;
  if (copy.width == 0 || copy.height == 0 || copy.depth == 0) return;
  if ((copy.height > 1 || copy.depth > 1) &&
      (copy.width > copy.destination_pitch || copy.width > copy.source_pitch)) {
    reply = fail(cudaErrorInvalidPitchValue, FindingKind::invalid_argument,
                 fmt::format("{} copies rows of {} bytes, but the pitch of the {} is {} bytes. "
                             "Pitch and width are in bytes, and a pitch is at least the width",
                             function(), copy.width,
                             copy.width > copy.destination_pitch ? "destination" : "source",
                             std::min(copy.destination_pitch, copy.source_pitch)));
    return;
  }
  if (!check_rows(copy, copy.destination_pitch, copy.destination_slice) ||
      !check_rows(copy, copy.source_pitch, copy.source_slice))
    return;
  const Found destination = find(copy.destination), source = find(copy.source);
  const Side to{"destination", copy.destination, copy.destination_pitch, copy.destination_slice};
  const Side from{"source", copy.source, copy.source_pitch, copy.source_slice};
  const std::uint64_t written = span_of(copy, to.pitch, to.slice);
  const std::uint64_t read = span_of(copy, from.pitch, from.slice);
  if (destination.place == Place::null && !check_range(destination, to, written, "")) return;
  if (source.place == Place::null && !check_range(source, from, read, "")) return;
  if (!check_direction(copy, destination, source, note_places) ||
      !check_range(destination, to, written, "writes") || !check_range(source, from, read, "reads"))
    return;
  if (written == too_many || read == too_many) {
    reply = fail(cudaErrorInvalidValue);
    return;
  }

  const bool to_host = !destination.on_device() || destination.place == Place::pinned;
  const bool from_host = !source.on_device() || source.place == Place::pinned;
  const bool waits_before = !asynchronous && (to_host || from_host);
  if (waits_before) {
    waited(timeline_.synchronize_stream(copy.stream));
    if (surface_kernel_error() != 0) {
      reply = fail(sticky_error_);
      return;
    }
  }
  if (to_host && source.on_device()) check_written(source, copy);
  if (destination.on_device() && !destination.host_can_access())
    each_row(copy.destination, copy, to.pitch, to.slice,
             [&](std::uint64_t offset, std::uint64_t row) {
               if (source.place == Place::device)
                 written_.copy(offset,
                               copy.source - program_memory_begin + row / copy.height * from.slice +
                                   row % copy.height * from.pitch,
                               copy.width);
               else
                 written_.set(offset, copy.width);
             });

  note_written(destination, copy.destination == destination.begin &&
                                copy.width == destination.bytes && source.place != Place::device);

  const DeviceFacts& facts = facts_of(*setup_.profile);
  const double bytes = static_cast<double>(copy.width * copy.height * copy.depth);
  const bool within_device = !to_host && !from_host;
  const double rate = within_device ? facts.device_copy_gb_per_s : facts.host_copy_gb_per_s;
  timeline_.issue(copy.stream,
                  within_device ? Timeline::Engine::kernels
                  : to_host     ? Timeline::Engine::to_host
                                : Timeline::Engine::to_device,
                  copy_start_ms + bytes / rate / 1e6);
  // To pageable memory, CUDA copies before the call returns.
  if (waits_before || (asynchronous && destination.place == Place::host))
    return waited(timeline_.synchronize_stream(copy.stream));
  if (!asynchronous) return;
  std::vector<GuardedRange> ranges;
  if (destination.host_can_access()) ranges.push_back({copy.destination, written, 0, 0});
  if (source.on_device() && source.host_can_access()) ranges.push_back({copy.source, read, 1, 0});
  guard(reply, {.stream = copy.stream,
                .what = function(),
                .caller = call_.caller,
                .ranges = std::move(ranges)});
}

void ProgramState::copy_symbol() {
  using enum Function;
  const auto call = call_.as<calls::SymbolCopy>();
  Reply& reply = answer_.reply;
  const bool to_symbol =
      call_.function == cudaMemcpyToSymbol || call_.function == cudaMemcpyToSymbolAsync;
  const DeviceVariable* variable = variable_at(call.symbol, true);
  if (variable == nullptr) {
    reply = fail(cudaErrorInvalidSymbol, FindingKind::invalid_argument,
                 fmt::format("{} gets something that is not a variable of the device. Pass a "
                             "`__device__` or `__constant__` variable itself, not a pointer",
                             function()));
    return;
  }
  if (call.kind > cudaMemcpyDefault || call.kind == cudaMemcpyHostToHost ||
      call.kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice)) {
    reply = fail(cudaErrorInvalidMemcpyDirection, FindingKind::invalid_copy,
                 fmt::format("{} gets the direction {}. Leave it out", function(),
                             call.kind <= cudaMemcpyDefault ? kind_names[call.kind]
                                                            : std::to_string(call.kind).c_str()));
    return;
  }
  if (call.offset > variable->bytes || call.bytes > variable->bytes - call.offset) {
    reply =
        fail(cudaErrorInvalidValue, FindingKind::invalid_copy,
             fmt::format("{} copies {} bytes {} {}the variable {}, which has {} bytes. Use its "
                         "sizeof",
                         function(), call.bytes, to_symbol ? "to" : "from",
                         call.offset == 0 ? std::string{} : fmt::format("byte {} of ", call.offset),
                         variable->name, variable->bytes));
    return;
  }
  const std::uint64_t address = program_memory_begin + variable->offset + call.offset;
  const calls::Copy as_copy{.destination = to_symbol ? address : call.address,
                            .source = to_symbol ? call.address : address,
                            .width = call.bytes,
                            .height = 1,
                            .depth = 1,
                            .destination_pitch = call.bytes,
                            .destination_slice = call.bytes,
                            .source_pitch = call.bytes,
                            .source_slice = call.bytes,
                            .kind = call.kind,
                            .stream = call.stream};
  copy(as_copy, is_asynchronous(call_.function));
  answer_.reply.values[0] = address;
}

void ProgramState::set() {
  const auto call = call_.as<calls::Set>();
  Reply& reply = answer_.reply;
  if (!known_stream(call.stream)) return;
  if (call.width == 0 || call.height == 0 || call.depth == 0) return;
  if ((call.height > 1 || call.depth > 1) && call.width > call.pitch) {
    reply = fail(cudaErrorInvalidPitchValue, FindingKind::invalid_argument,
                 fmt::format("{} sets rows of {} bytes, but the pitch is {} bytes. Pitch and width "
                             "are in bytes, and the pitch is at least the width",
                             function(), call.width, call.pitch));
    return;
  }
  const calls::Copy rows{0, 0, call.width, call.height, call.depth, 0, 0, 0, 0, 0, 0};
  if (!check_rows(rows, call.pitch, call.slice)) return;
  const Found found = find(call.address);
  if (found.place == Place::host) {
    reply = fail(cudaErrorInvalidValue, FindingKind::invalid_device_pointer,
                 fmt::format("{} gets host memory. Use memset, or pass a pointer from cudaMalloc",
                             function()));
    return;
  }
  const std::uint64_t bytes = span_of(rows, call.pitch, call.slice);
  if (!check_range(found, {"destination", call.address, call.pitch, call.slice}, bytes, "sets"))
    return;
  if (!found.host_can_access())
    each_row(call.address, rows, call.pitch, call.slice,
             [&](std::uint64_t offset, std::uint64_t) { written_.set(offset, call.width); });
  note_written(found, call.address == found.begin && call.width == found.bytes);
  const double all = static_cast<double>(call.width * call.height * call.depth);
  timeline_.issue(call.stream, Timeline::Engine::kernels,
                  all / facts_of(*setup_.profile).device_copy_gb_per_s / 1e6);
  if (!found.host_can_access()) return;
  if (is_asynchronous(call_.function))
    guard(reply, {.stream = call.stream,
                  .what = function(),
                  .caller = call_.caller,
                  .ranges = {{call.address, bytes, 0, 0}}});
  else
    waited(timeline_.synchronize_stream(call.stream));
}

void ProgramState::guard(Reply& reply, Guard guard) {
  if (guard.ranges.empty()) return;
  const auto same = [](const GuardedRange& a, const GuardedRange& b) {
    return a.begin == b.begin && a.bytes == b.bytes && a.reads == b.reads;
  };
  // This work replaces earlier work of the stream on the same memory. If a program never
  // waits, its oldest work is forgotten.
  constexpr std::size_t most_guards = 4096;
  auto replaced = std::ranges::find_if(guards_, [&](const auto& known) {
    return known.second.stream == guard.stream &&
           std::ranges::equal(known.second.ranges, guard.ranges, same);
  });
  if (replaced == guards_.end() && guards_.size() == most_guards) replaced = guards_.begin();
  if (replaced != guards_.end()) {
    timeline_.close(replaced->first);
    reply.completed.push_back(replaced->first);
    guards_.erase(replaced);
  }
  reply.operation = timeline_.open_operation(guard.stream);
  reply.guarded = guard.ranges;
  guards_[reply.operation] = std::move(guard);
}

}  // namespace histolab::kernels::program
