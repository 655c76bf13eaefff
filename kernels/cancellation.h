// Cancellation: a switch that ends some of what a device does, and not all: the compiles and launches that were given it.
//
// They return an Error at once, and their processes are killed. It is thrown once, from any thread but from no signal handler.
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

  // ---- for those who start processes ----
  void add(pid_t group) const;     // to be killed, now if the switch was thrown
  void forget(pid_t group) const;  // before it is waited for: then the number may be another's

 private:
  std::atomic<bool> cancelled_{false};
  mutable std::mutex lock_;
  mutable std::vector<pid_t> groups_;
};

}  // namespace histolab::kernels
