// Pace: the number of steps that a launch may have made so far, as set by the user who watches it.
//
// A launch runs at full speed, or at a number of steps per second, or it is held and advances step
// by step. A Pace reads no clock: callers pass the time and the number of steps made. It outlives a
// launch: if it is held, the next launch is held before its first step.
#pragma once

#include <cstdint>

namespace histolab::grader {

class Pace {
 public:
  // Holds the launch at `steps`. The caller has never allowed more steps than that.
  void hold_at(std::uint64_t steps);
  // Allows this many further steps, then holds the launch again. Without a launch, the steps apply
  // to the next one.
  void step(std::uint64_t steps);
  // Continues at the last speed.
  void go(double now_s, std::uint64_t made);
  // Continues at this many steps per second (finite, not negative), or at full speed if it is 0.
  void go_at(double steps_per_s, double now_s, std::uint64_t made);
  void launch_ended();

  [[nodiscard]] bool held() const { return held_; }
  // Steps allowed since the launch began, for kernels::Live::allow.
  [[nodiscard]] std::uint64_t allowed(double now_s, std::uint64_t made);

 private:
  bool held_ = false;
  std::uint64_t hold_at_ = 0;
  double steps_per_s_ = 0;
  double since_s_ = 0;  // time at step `base_`; both are reset if the launch falls behind
  std::uint64_t base_ = 0;
};

}  // namespace histolab::grader
