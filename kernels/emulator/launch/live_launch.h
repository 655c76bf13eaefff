// LiveLaunch: the launch's side of a Live (kernels/live.h). It publishes the launch's progress, and
// waits until the next step is allowed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "kernels/live.h"

namespace histolab::kernels::emulator {

class LiveLaunch {
 public:
  explicit LiveLaunch(const Live& live)
      : page_(live.page()), bits_(live.bits()), input_bytes_(live.input_bytes()) {}

  // Returns when one more step is allowed.
  void begin_step() {
    if (steps_ >= page_.allowed.load(std::memory_order_acquire)) sleep_until_allowed();
  }
  void end_step() { page_.steps.store(++steps_, std::memory_order_release); }
  void end_block() { page_.blocks.store(++blocks_, std::memory_order_release); }

  // Notes that the kernel reads these bytes of the launch's first input.
  void note_read(std::uint64_t offset, std::uint64_t bytes);

  // The time spent in sleep_until_allowed(), in seconds.
  [[nodiscard]] std::chrono::duration<double> slept() const { return slept_; }

 private:
  void sleep_until_allowed();

  LivePage& page_;
  std::uint64_t* const bits_;
  const std::uint64_t input_bytes_;
  // Not in the page: a kernel that writes into the page cannot change them.
  std::uint64_t steps_ = 0, blocks_ = 0;
  std::chrono::duration<double> slept_{0};
};

}  // namespace histolab::kernels::emulator
