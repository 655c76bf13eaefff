#include "kernels/program/state/timeline.h"

#include <algorithm>

namespace histolab::kernels::program {
namespace {

// Handles look like addresses that a program cannot use.
constexpr std::uint64_t first_handle = 0x5000, handle_step = 16;

}  // namespace

Timeline::Timeline() : last_handle_(first_handle) { reset(); }

void Timeline::reset() {
  synchronize_all();
  streams_.clear();
  events_.clear();
  preceding_ = 0;
  streams_[legacy_stream] = {};
  streams_[per_thread_stream] = {};
}

std::uint64_t Timeline::create_stream(std::uint32_t flags, std::int32_t priority) {
  last_handle_ += handle_step;
  streams_[last_handle_] = {.flags = flags, .priority = priority, .ready_ms = host_ms_, .open = {}};
  return last_handle_;
}

std::uint64_t Timeline::create_event(std::uint32_t flags) {
  last_handle_ += handle_step;
  events_[last_handle_].flags = flags;
  return last_handle_;
}

Timeline::Stream* Timeline::stream(std::uint64_t handle) {
  const auto found = streams_.find(handle == default_stream ? legacy_stream : handle);
  return found == streams_.end() ? nullptr : &found->second;
}

Timeline::Event* Timeline::event(std::uint64_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : &found->second;
}

bool Timeline::was_destroyed(std::uint64_t handle) const {
  return handle > first_handle && handle <= last_handle_ && handle % handle_step == 0 &&
         !streams_.contains(handle) && !events_.contains(handle);
}

Timeline::Stream& Timeline::ordered(std::uint64_t handle) {
  Stream& own = *stream(handle);
  const auto after = [&](const Stream& other) {
    own.ready_ms = std::max(own.ready_ms, other.ready_ms);
    own.open.insert(other.open.begin(), other.open.end());
  };
  if (is_legacy(handle)) {
    for (const auto& [number, other] : streams_)
      if (blocks(other)) after(other);
  } else if (blocks(own)) {
    after(streams_[legacy_stream]);
  }
  return own;
}

void Timeline::issue(std::uint64_t handle, Engine engine, double ms) {
  Stream& own = ordered(handle);
  double& engine_ms = engine_ms_[static_cast<std::size_t>(engine)];
  own.ready_ms = std::max({own.ready_ms, host_ms_, engine_ms}) + ms;
  engine_ms = own.ready_ms;
}

std::uint64_t Timeline::open_operation(std::uint64_t handle) {
  open_.insert(++last_operation_);
  stream(handle)->open.insert(last_operation_);
  return last_operation_;
}

void Timeline::close(std::uint64_t operation) {
  open_.erase(operation);
  for (auto& [number, stream] : streams_) stream.open.erase(operation);
}

void Timeline::destroy_event(std::uint64_t handle) {
  preceding_ -= events_[handle].open.size();
  events_.erase(handle);
}

std::vector<std::uint64_t> Timeline::record(std::uint64_t handle, std::uint64_t stream) {
  const Stream& from = ordered(stream);
  Event& recorded = events_[handle];
  preceding_ += from.open.size();
  preceding_ -= recorded.open.size();
  recorded.recorded = true;
  recorded.ms = std::max(from.ready_ms, host_ms_);
  recorded.open = from.open;
  if (preceding_ <= most_preceding) return {};
  for (auto& [number, event] : events_) event.open.clear();
  preceding_ = 0;
  return complete(std::set<std::uint64_t>(open_), host_ms_);
}

void Timeline::wait_for_event(std::uint64_t handle, std::uint64_t event) {
  Stream& own = *stream(handle);
  const Event& awaited = events_[event];
  own.ready_ms = std::max(own.ready_ms, awaited.ms);
  for (const std::uint64_t each : awaited.open)
    if (open_.contains(each)) own.open.insert(each);
}

std::vector<std::uint64_t> Timeline::complete(const std::set<std::uint64_t>& operations,
                                              double ms) {
  host_ms_ = std::max(host_ms_, ms);
  std::vector<std::uint64_t> completed;
  for (const std::uint64_t each : operations)
    if (open_.erase(each) != 0) completed.push_back(each);
  // Complete operations precede nothing any more.
  if (!completed.empty())
    for (auto& [number, stream] : streams_)
      std::erase_if(stream.open, [&](std::uint64_t each) { return !open_.contains(each); });
  return completed;
}

std::vector<std::uint64_t> Timeline::synchronize_stream(std::uint64_t handle) {
  const Stream& own = is_legacy(handle) ? ordered(handle) : *stream(handle);
  return complete(std::set<std::uint64_t>(own.open), own.ready_ms);
}

std::vector<std::uint64_t> Timeline::complete_stream(std::uint64_t handle) {
  return complete(std::set<std::uint64_t>(ordered(handle).open), 0);
}

std::vector<std::uint64_t> Timeline::synchronize_event(std::uint64_t handle) {
  const Event& awaited = events_[handle];
  return complete(awaited.open, awaited.ms);
}

std::vector<std::uint64_t> Timeline::synchronize_all() {
  double ms = host_ms_;
  for (const auto& [number, stream] : streams_) ms = std::max(ms, stream.ready_ms);
  return complete(std::set<std::uint64_t>(open_), ms);
}

}  // namespace histolab::kernels::program
