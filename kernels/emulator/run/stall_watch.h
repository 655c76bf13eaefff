// StallWatch: finds a lane that uses processor time and makes no access.
//
// A timer's signal calls on_tick(). After several ticks without progress the lane is single-stepped
// for a while. So the result names the first line of the lane's loop, wherever the signal came.
#pragma once

#include <cstdint>
#include <optional>

namespace histolab::kernels::emulator {

class StallWatch {
 public:
  static constexpr int ticks_until_stepping = 5;
  static constexpr int steps_of_a_loop = 4096;  // instructions

  // The running lane when a signal interrupts it.
  struct Moment {
    std::uint32_t lane = 0;
    // False if a function of the runtime runs. Then the register of the cursor may have any value.
    bool in_kernel = true;
    const std::uint64_t* cursor = nullptr;  // end of the lane's log
  };
  // The lane that is stalled, and the first line of its loop; 0 if the line is unknown.
  struct Stall {
    std::uint32_t lane = 0;
    int line = 0;
  };

  // `kernel_line`: first line of the kernel. Lines before it belong to helper functions.
  explicit StallWatch(int kernel_line) : kernel_line_(kernel_line) {}

  // Rows judged, blocks begun, barriers and warp-level functions passed, sleeps, prints and
  // allocations count as progress.
  void count_progress(std::uint64_t events = 1) { progress_ += events; }
  // Returns true if every further instruction must be passed to on_step(), until that returns
  // false.
  [[nodiscard]] bool on_tick(const Moment& now);
  // `line`: source line of the instruction, 0 if it is unknown. If this sets stall(), the caller
  // must leave the lane.
  [[nodiscard]] bool on_step(const Moment& now, int line);
  [[nodiscard]] const std::optional<Stall>& stall() const { return stall_; }
  void forget() { stall_.reset(); }

 private:
  [[nodiscard]] bool has_progressed(const Moment& now) const {
    return now.lane != lane_ || progress_ != progress_at_tick_;
  }

  int kernel_line_;
  std::uint64_t progress_ = 0;
  // At the last tick with progress.
  std::uint32_t lane_ = 0;
  std::uint64_t progress_at_tick_ = 0;
  const std::uint64_t* cursor_ = nullptr;
  int ticks_ = 0;  // without progress
  // While the lane is single-stepped: instructions so far (0 if it is not), the cursor when that
  // began, and the loop's first line.
  int steps_ = 0;
  const std::uint64_t* cursor_of_loop_ = nullptr;
  int line_ = 0;
  std::optional<Stall> stall_;
};

}  // namespace histolab::kernels::emulator
