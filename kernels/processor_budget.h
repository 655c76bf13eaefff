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
  void use(std::chrono::microseconds used) { left_us_ -= used.count(); }

 private:
  std::chrono::milliseconds all_;
  std::atomic<std::int64_t> left_us_;
};

}  // namespace histolab::kernels
