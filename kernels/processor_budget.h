// ProcessorBudget: processor time that all launches of one submission share.
//
// Each launch has its own limit (Options::time_limit). Without a common budget, a submission of
// fifteen cases could use fifteen times that limit. The class is thread-safe, because cases run on
// several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace histolab::kernels {

class ProcessorBudget {
 public:
  explicit ProcessorBudget(std::chrono::milliseconds all)
      : all_(all), left_us_(all.count() * 1000) {}

  [[nodiscard]] std::chrono::milliseconds all() const { return all_; }
  // Returns the remaining time, rounded up to milliseconds; 0 if the budget is used up.
  [[nodiscard]] std::chrono::milliseconds left() const {
    const std::int64_t left = left_us_;
    return std::chrono::milliseconds{left <= 0 ? 0 : (left + 999) / 1000};
  }
  // Subtracts a launch's time. `limit` is the launch's own limit.
  void use(std::chrono::microseconds used, std::chrono::microseconds limit) {
    left_us_ -= used.count();
    if (is_near(used.count(), limit.count())) launch_was_near_ = true;
  }
  // Returns true if a launch, or all together, used at least 80 % of a limit. Another run may then
  // exceed it: processor time varies by a few per cent, and by more if others share the core.
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
