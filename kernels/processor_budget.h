// ProcessorBudget: processor time that all launches of one submission share.
//
// Each launch has a limit of its own (Options::time_limit). Without a sum, a submission of fifteen
// cases could use fifteen times that limit. Thread-safe: cases run on several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace histolab::kernels {

class ProcessorBudget {
 public:
  explicit ProcessorBudget(std::chrono::milliseconds all) : all_(all), left_us_(all.count() * 1000) {}

  [[nodiscard]] std::chrono::milliseconds all() const { return all_; }
  // Rounded up; 0 if it is used up.
  [[nodiscard]] std::chrono::milliseconds left() const {
    const std::int64_t left = left_us_;
    return std::chrono::milliseconds{left <= 0 ? 0 : (left + 999) / 1000};
  }
  // `limit`: of this launch.
  void use(std::chrono::microseconds used, std::chrono::microseconds limit) {
    left_us_ -= used.count();
    if (is_near(used.count(), limit.count())) launch_was_near_ = true;
  }
  // Whether a launch or all together used so much of a limit that another run may exceed it: processor
  // time varies by a few per cent, and more if others share the core.
  [[nodiscard]] bool was_near_a_limit() const {
    const std::int64_t all = all_.count() * 1000;
    return launch_was_near_ || is_near(all - left_us_, all);
  }

 private:
  static bool is_near(std::int64_t used, std::int64_t limit) { return used >= limit - limit / 5; }

  std::chrono::milliseconds all_;
  std::atomic<std::int64_t> left_us_;
  std::atomic<bool> launch_was_near_ = false;
};

}  // namespace histolab::kernels
