// Cancellation: a switch that ends some of what a device does, and not all: the compiles and launches that were given it.
//
// They return an Error at once, and their processes are gone. It is thrown once, from any thread but from no signal handler.
#pragma once

#include <atomic>

namespace histolab::kernels {

class Cancellation {
 public:
  void cancel();
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace histolab::kernels
