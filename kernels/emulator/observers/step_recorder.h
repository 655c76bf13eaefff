// StepRecorder: records the first accesses of single threads to memory that other threads see, in
// the order in which they are made. For a launch that a user steps through.
#pragma once

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// Each access has the memory's contents before and after it. It is shown before it is made, and no
// other access is made before the next one is shown. So its result is read when the next one is
// shown.
class StepRecorder final : public Observer {
 public:
  explicit StepRecorder(LaunchContext& context) : context_(context) {}
  void on_lane_access(const LaneAccess& access) override;
  void on_block_suspend() override { settle(); }
  void on_block_end() override { settle(); }
  void on_launch_end() override { settle(); }

 private:
  // Steps whose access may not have been made yet, so their results are not known.
  struct Open {
    std::size_t step;
    const std::uint8_t* place;
  };
  void settle();
  [[nodiscard]] bool is_recorded(std::uint32_t lane) const;

  LaunchContext& context_;
  std::vector<Open> open_;
};

}  // namespace histolab::kernels::emulator
