// StepRecorder: the first accesses of single threads to memory that others see, in the order in
// which they are made, each with the memory's contents before and after it. For a launch that a
// user steps through.
//
// An access is shown before it is made, and no other one is made before the next one is shown. So
// the memory's contents after it are looked up then.
#pragma once

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class StepRecorder final : public Observer {
 public:
  explicit StepRecorder(LaunchContext& context) : context_(context) {}
  void on_lane_access(const LaneAccess& access) override;
  void on_block_suspend() override { settle(); }
  void on_block_end() override { settle(); }
  void on_launch_end() override { settle(); }

 private:
  // Steps whose access may not have been made yet: their results are still to be looked up.
  struct Open {
    std::size_t step;
    const std::uint8_t* place;
  };
  void settle();

  LaunchContext& context_;
  std::vector<Open> open_;
};

}  // namespace histolab::kernels::emulator
