// BlockRunner: handles the signals (signals.h) of a lane that has crashed or makes no progress.
#include <signal.h>

#include <cstdint>
#include <cstring>

#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
void BlockRunner::on_fault(const Fault& fault) {
  if (lanes_.running() == Lanes::none) return;
  const auto dividend = static_cast<std::int64_t>(fault.accumulator);
  LaneFault made{
      .signal = fault.signal,
      .lane = lanes_.running(),
      .instruction = fault.instruction,
      .in_stack = fault.signal == SIGSEGV && context_.window->is_below_a_stack(fault.address),
      .in_call = fault.signal == SIGSEGV && fault.address == fault.instruction,
      .may_overflow = dividend == INT64_MIN || static_cast<std::int32_t>(dividend) == INT32_MIN};
  // Name the caller: the return address of the call is on the stack.
  if (made.in_call && context_.window->find(fault.stack_pointer) != nullptr) {
    std::memcpy(&made.instruction, reinterpret_cast<const void*>(fault.stack_pointer),
                sizeof made.instruction);
    --made.instruction;
  }
  ending_.fault = made;
  // In a library function the cursor's register may have any value.
  std::uint64_t* const known = warps_[made.lane / 32].cursor[made.lane % 32];
  if (!WarpLog::comes_after(known, next_record)) next_record = known;
  lanes_.leave();
}

bool BlockRunner::is_of_kernel(std::uint64_t instruction) const {
  return instruction - context_.window->begin() < Window::text_bytes;
}

bool BlockRunner::on_tick(std::uint64_t instruction) {
  if (lanes_.running() == Lanes::none) return false;
  return stall_watch_.on_tick({lanes_.running(), is_of_kernel(instruction), next_record});
}

bool BlockRunner::on_step(std::uint64_t instruction) {
  const bool in_kernel = is_of_kernel(instruction);
  const int line = in_kernel ? context_.line_of_instruction(instruction) : 0;
  const bool steps_on = stall_watch_.on_step({lanes_.running(), in_kernel, next_record}, line);
  if (stall_watch_.stall()) lanes_.leave();
  return steps_on;
}

}  // namespace histolab::kernels::emulator
