// Cancellation: a switch that ends the compiles and launches to which it was passed.
//
// They return an Error at once, and their processes are killed. Call cancel() once, from any
// thread, but not from a signal handler.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <vector>

namespace histolab::kernels {

class Cancellation {
 public:
  void cancel();
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }

  // ---- for code that starts processes ----
  // Registers a process group to be killed by cancel(). Kills it now if cancel() was called.
  void add(pid_t group) const;
  // Removes the group. Must be called before waiting for the process, because afterwards the number
  // may belong to another process.
  void forget(pid_t group) const;

 private:
  std::atomic<bool> cancelled_{false};
  mutable std::mutex lock_;
  mutable std::vector<pid_t> groups_;
};

}  // namespace histolab::kernels
