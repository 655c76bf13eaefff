// BlockRunner: handles the signals (signals.h) of a lane that has crashed or makes no progress.
#include <signal.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

constexpr int ticks_until_stuck = 5;   // timer ticks without progress, see on_tick
constexpr int steps_of_a_loop = 4096;  // instructions to watch in an endless loop

}  // namespace

void BlockRunner::on_fault(const Fault& fault) {
  if (lanes_.running() == Lanes::none) return;
  fault_signal_ = fault.signal;
  fault_lane_ = lanes_.running();
  fault_in_stack_ = fault.signal == SIGSEGV && context_.window->is_below_a_stack(fault.address);
  fault_in_call_ = fault.signal == SIGSEGV && fault.address == fault.instruction;
  const auto dividend = static_cast<std::int64_t>(fault.accumulator);
  fault_may_overflow_ = dividend == INT64_MIN || static_cast<std::int32_t>(dividend) == INT32_MIN;
  fault_at_ = fault.instruction;
  // Name the caller: the return address of the call is on the stack.
  if (fault_in_call_ && context_.window->find(fault.stack_pointer) != nullptr) {
    std::memcpy(&fault_at_, reinterpret_cast<const void*>(fault.stack_pointer), sizeof fault_at_);
    --fault_at_;
  }
  // In a library function the cursor's register may have any value.
  std::uint64_t* const known = warps_[fault_lane_ / 32].cursor[fault_lane_ % 32];
  if (!WarpLog::comes_after(known, next_record)) next_record = known;
  lanes_.leave();
}

bool BlockRunner::is_of_kernel(std::uint64_t instruction) const { return instruction - context_.window->begin() < Window::text_bytes; }

// A lane makes progress if its cursor moves. The cursor is unknown while a function of the runtime
// runs (see on_step), so progress_ counts, too.
bool BlockRunner::on_tick(std::uint64_t instruction) {
  if (lanes_.running() == Lanes::none) return false;
  if (steps_watched_ != 0) return true;
  const std::uint64_t* const cursor = is_of_kernel(instruction) ? next_record : tick_cursor_;
  const bool cursor_moves = std::exchange(tick_cursor_, cursor) != cursor;
  if (lanes_.running() != tick_lane_ || progress_ != tick_progress_ || cursor_moves) {
    tick_lane_ = lanes_.running();
    tick_progress_ = progress_;
    ticks_without_progress_ = 0;
    return false;
  }
  if (++ticks_without_progress_ < ticks_until_stuck) return false;
  steps_watched_ = 1;
  watched_cursor_ = nullptr;
  stuck_line_ = 0;
  return true;
}

// The instruction may belong to a function of the runtime that the kernel has called. Then the
// cursor's register may have any value. The lane must not leave there either: an observer or a
// library would be left in an inconsistent state.
bool BlockRunner::on_step(std::uint64_t instruction) {
  const bool in_kernel = is_of_kernel(instruction);
  if (in_kernel && watched_cursor_ == nullptr) watched_cursor_ = next_record, steps_watched_ = 1;
  if (lanes_.running() != tick_lane_ || progress_ != tick_progress_ || (in_kernel && next_record != watched_cursor_)) {  // it makes progress
    steps_watched_ = ticks_without_progress_ = 0;
    return false;
  }
  const int line = in_kernel ? context_.line_of_instruction(instruction) : 0;
  // Keep the first line that was seen. The kernel's own lines come before those of a helper that it
  // calls in its loop.
  const auto comes_before = [&](int a, int b) { return (a < kernel_line_) != (b < kernel_line_) ? b < kernel_line_ : a < b; };
  if (line != 0 && (stuck_line_ == 0 || comes_before(line, stuck_line_))) stuck_line_ = line;
  if (++steps_watched_ <= steps_of_a_loop) return true;
  if (!in_kernel) {
    if (steps_watched_ <= 2 * steps_of_a_loop) return true;
    steps_watched_ = 0;  // the function takes too long; the next tick starts again
    return false;
  }
  stuck_ = true;
  stuck_lane_ = lanes_.running();
  lanes_.leave();
}

}  // namespace histolab::kernels::emulator
