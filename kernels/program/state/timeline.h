// Timeline: the streams and events of a program, with modelled time.
//
// The work itself is done when it is issued. The timeline knows when a GPU would do it: work of one
// stream in order, copies and kernels of different streams at the same time. Times do not depend on
// this machine, so that they are equal in every run.
//
// An operation with a number is work that the host must not disturb: it continues until the host
// waits for it. Waiting returns the numbers of operations that are complete then.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace histolab::kernels::program {

class Timeline {
 public:
  // A hostile program cannot have more streams and events together, nor make its events precede
  // more operations in all.
  static constexpr std::size_t most_handles = 1 << 16, most_preceding = 1 << 20;
  // Handles that every program has.
  static constexpr std::uint64_t default_stream = 0, legacy_stream = 1, per_thread_stream = 2;
  enum class Engine { kernels, to_device, to_host };

  struct Stream {
    std::uint32_t flags = 0;
    std::int32_t priority = 0;
    double ready_ms = 0;
    std::set<std::uint64_t> open;  // operations that precede the stream's end
  };
  struct Event {
    std::uint32_t flags = 0;
    bool recorded = false;
    double ms = 0;
    std::set<std::uint64_t> open;
  };

  Timeline();
  // A reset of the device: all streams and events are gone. Time continues.
  void reset();

  [[nodiscard]] bool is_full() const { return streams_.size() + events_.size() >= most_handles; }
  // Only if the timeline is not full.
  [[nodiscard]] std::uint64_t create_stream(std::uint32_t flags, std::int32_t priority);
  [[nodiscard]] std::uint64_t create_event(std::uint32_t flags);
  // Return null for a handle that does not exist (any more).
  [[nodiscard]] Stream* stream(std::uint64_t handle);
  [[nodiscard]] Event* event(std::uint64_t handle);
  // Whether the handle existed once.
  [[nodiscard]] bool was_destroyed(std::uint64_t handle) const;
  void destroy_stream(std::uint64_t handle) { streams_.erase(handle); }
  void destroy_event(std::uint64_t handle);

  // Adds work to a stream, which must exist.
  void issue(std::uint64_t stream, Engine engine, double ms);
  // Gives the stream's last work a number.
  [[nodiscard]] std::uint64_t open_operation(std::uint64_t stream);
  // The operation needs no waiting any more.
  void close(std::uint64_t operation);
  // Returns operations that need no waiting any more, because there are too many to remember.
  std::vector<std::uint64_t> record(std::uint64_t event, std::uint64_t stream);
  void wait_for_event(std::uint64_t stream, std::uint64_t event);

  // The host waits. Each returns the operations that are complete then.
  std::vector<std::uint64_t> synchronize_stream(std::uint64_t stream);
  std::vector<std::uint64_t> synchronize_event(std::uint64_t event);
  std::vector<std::uint64_t> synchronize_all();
  // For work on the host in the order of a stream: does not advance the host's time.
  std::vector<std::uint64_t> complete_stream(std::uint64_t stream);

  [[nodiscard]] double host_ms() const { return host_ms_; }
  // Whether the host has waited long enough for the event.
  [[nodiscard]] bool is_complete(const Event& event) const { return event.ms <= host_ms_; }

 private:
  [[nodiscard]] static bool is_legacy(std::uint64_t stream) { return stream <= legacy_stream; }
  [[nodiscard]] bool blocks(const Stream& stream) const { return (stream.flags & 1) == 0; }
  // The stream's work now also comes after that of the streams that CUDA orders before it.
  Stream& ordered(std::uint64_t stream);
  std::vector<std::uint64_t> complete(const std::set<std::uint64_t>& operations, double ms);

  std::map<std::uint64_t, Stream> streams_;
  std::map<std::uint64_t, Event> events_;
  std::set<std::uint64_t> open_;
  std::size_t preceding_ = 0;  // operations in events
  std::uint64_t last_handle_, last_operation_ = 0;
  double host_ms_ = 0, engine_ms_[3] = {};
};

}  // namespace histolab::kernels::program
