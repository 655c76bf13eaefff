// Pace: how many steps a launch may have made by now, as somebody who watches it wants it.
//
// A launch goes as fast as it can, or at so many steps a second, or is held where it is and goes on
// step by step. A pure value: the time and the steps that were made are given to it. A pace
// outlives its launch: one that is held holds the next launch before its first step.
#pragma once

#include <cstdint>

namespace histolab::grader {

class Pace {
 public:
  // Holds the launch where it has made `steps`; more of them were never allowed.
  void hold_at(std::uint64_t steps);
  // So many more; it is held before and after. Without a launch: of the next one.
  void step(std::uint64_t steps);
  // On, at the speed that was last given.
  void go(double now_s, std::uint64_t made);
  // On, at so many steps a second; 0: as fast as it can. Not negative, finite.
  void go_at(double steps_per_s, double now_s, std::uint64_t made);
  void launch_ended();

  [[nodiscard]] bool held() const { return held_; }
  // In all since the launch began: kernels::Live::allow.
  [[nodiscard]] std::uint64_t allowed(double now_s, std::uint64_t made);

 private:
  bool held_ = false;
  std::uint64_t hold_at_ = 0;
  double steps_per_s_ = 0;
  double since_s_ = 0;  // when it had made `base_`; later when it could not keep up
  std::uint64_t base_ = 0;
};

}  // namespace histolab::grader
