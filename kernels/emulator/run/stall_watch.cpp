#include "kernels/emulator/run/stall_watch.h"

#include <utility>

namespace histolab::kernels::emulator {

bool StallWatch::on_tick(const Moment& now) {
  if (steps_ != 0) return true;
  const std::uint64_t* const cursor = now.in_kernel ? now.cursor : cursor_;
  const bool cursor_moves = std::exchange(cursor_, cursor) != cursor;
  if (has_progressed(now) || cursor_moves) {
    lane_ = now.lane;
    progress_at_tick_ = progress_;
    ticks_ = 0;
    return false;
  }
  if (++ticks_ < ticks_until_stepping) return false;
  steps_ = 1;
  cursor_of_loop_ = nullptr;
  line_ = 0;
  return true;
}

// A lane must not leave in a function of the runtime: an observer or a library would be left in an
// inconsistent state.
bool StallWatch::on_step(const Moment& now, int line) {
  if (now.in_kernel && cursor_of_loop_ == nullptr) {
    cursor_of_loop_ = now.cursor;
    steps_ = 1;
  }
  if (has_progressed(now) || (now.in_kernel && now.cursor != cursor_of_loop_)) {
    steps_ = ticks_ = 0;
    return false;
  }
  // Keep the first line. The kernel's own lines come before those of a helper that it calls in its
  // loop.
  const auto comes_before = [&](int a, int b) {
    return (a < kernel_line_) != (b < kernel_line_) ? b < kernel_line_ : a < b;
  };
  if (now.in_kernel && line != 0 && (line_ == 0 || comes_before(line, line_))) line_ = line;
  if (++steps_ <= steps_of_a_loop) return true;
  if (!now.in_kernel) {
    if (steps_ <= 2 * steps_of_a_loop) return true;
    steps_ = 0;  // the function takes too long; the next tick starts again
    return false;
  }
  stall_ = Stall{now.lane, line_};
  return false;
}

}  // namespace histolab::kernels::emulator
