// BlockRunner: early ends of a launch, and the signals of a lane that has crashed or makes no
// progress. The rows that are still in the logs are judged first, so the finding is about the last
// thing that the kernel really did.
//
// Functions that end a launch on a lane's stack call need_stack_room() before they make a string.
// FindingLog::add calls it again, because observers call it deeper in the stack.
#include <fmt/format.h>
#include <signal.h>

#include <cstring>
#include <utility>

#include "kernels/emulator/arch/stack_room.h"
#include "kernels/emulator/messages/memory_messages.h"
#include "kernels/emulator/messages/names.h"
#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {

void BlockRunner::end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = line;
  finding.thread = thread_id(lane);
  const bool sleeps = (budget_.asleep(lane / 32) >> lane % 32 & 1) != 0;
  finding.message = sleeps ? sleeps_message(finding) : step_limit_message(finding, budget);
  end_stuck(std::move(finding), "step limit");
}

void BlockRunner::end_by_grid_barriers(std::uint32_t lane) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = context_.line(lanes_.site(lane));
  finding.thread = thread_id(lane);
  finding.message = too_many_grid_barriers_message(finding, grid_barrier_.arrivals());
  context_.findings->add(std::move(finding));
  ending_.stop("step limit");
}

void BlockRunner::end_by_stray(std::uint64_t address, SiteNumber site) {
  need_stack_room();
  const Site& at = (*context_.sites)[site];
  ending_.stop("an access to memory that is not there");
  ending_.stray = StrayAccess{site, at.kind, at.bytes, lanes_.running(), address};
  if (context_.debugged) show_stray_at_lane();
  lanes_.leave();
}

void BlockRunner::show_stray_at_lane() {
  const std::uint32_t lane = lanes_.running();
  Lanes::note_place();
  judge_logs();
  next_record = warps_[lane / 32].cursor[lane % 32];
  ending_.show_stray(context_);
  ending_.stray.reset();
}

void BlockRunner::judge_logs() {
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (logs_[w].has_memory()) logs_[w].judge(context_, warps_[w].cursor, 0);
}

void BlockRunner::end_by_local(SiteNumber number) {
  need_stack_room();
  const Site& site = (*context_.sites)[number];
  if (site.bytes == 0 && !writes(site.kind))
    end_by_overwriting("the memory of its function's own variables", site.line);
  const bool is_frame = site.bytes == 0;
  Finding finding;
  finding.kind = is_frame ? FindingKind::illegal_instruction : FindingKind::out_of_bounds;
  if (!is_frame) finding.space = Space::local;
  finding.line = site.line;
  finding.thread = thread_id(lanes_.running());
  finding.message = is_frame ? fmt::format("{} {}", describe(*finding.thread), stack_used_up)
                             : beyond_local_message(finding, site.kind, site.bytes);
  context_.findings->add(std::move(finding));
  ending_.stop(is_frame ? "no room on the thread's stack"
                        : "an access beyond the thread's local variables");
  lanes_.leave();
}

int BlockRunner::last_line() const {
  const std::uint32_t lane = lanes_.running();
  if (next_record == logs_[lane / 32].start(lane % 32)) return kernel_line_;
  return context_.line(WarpLog::site(next_record[-std::ptrdiff_t{WarpLog::lanes}]));
}

void BlockRunner::end_by_fault(FindingKind kind, int line, std::string_view message) {
  need_stack_room();
  Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.thread = thread_id(lanes_.running());
  finding.message = fmt::format("{}: {}", describe(*finding.thread), message);
  context_.findings->add(std::move(finding));
  ending_.stop(std::string(message));
  lanes_.leave();
}

void BlockRunner::end_by_overwriting(std::string_view what, int line) {
  need_stack_room();
  end_by_fault(FindingKind::illegal_instruction, line,
               fmt::format("overwrote {}. Look for an index beyond the end of a local array, and "
                           "for an invalid pointer to a local variable",
                           what));
}

// ---- signals ------------------------------------------------------------------------------------

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
