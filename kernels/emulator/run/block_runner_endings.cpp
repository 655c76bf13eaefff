// BlockRunner: early ends of a launch, and their findings. The rows that are still in the logs are
// judged first, so the finding is about the last thing that the kernel really did.
//
// Functions that end a launch on a lane's stack call need_stack_room() before they make a string.
// FindingLog::add calls it again, because observers call it deeper in the stack.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
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

void BlockRunner::end_by_stray(std::uint64_t address, SiteNumber site) {
  need_stack_room();
  const Site& at = (*context_.sites)[site];
  ending_.stop("an access to memory that is not there");
  ending_.stray = StrayAccess{site, at.kind, at.bytes, lanes_.running(), address};
  if (context_.debugged) show_stray_at_lane();
  lanes_.leave();
}

// Shows the stray access to the observers while the lane is still at it. For debugged launches.
void BlockRunner::show_stray_at_lane() {
  const std::uint32_t lane = lanes_.running();
  Lanes::note_place();
  judge_logs();
  next_record = warps_[lane / 32].cursor[lane % 32];
  ending_.show_stray(context_);
  ending_.stray.reset();
}

// Judges all rows that are still in the logs.
void BlockRunner::judge_logs() {
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (logs_[w].has_memory()) logs_[w].judge(context_, warps_[w].cursor, 0);
}

void BlockRunner::end_by_local(SiteNumber number) {
  need_stack_room();
  const Site& site = (*context_.sites)[number];
  if (site.bytes == 0 && !writes(site.kind))
    end_by_overwriting("where its function's own variables lie", site.line);
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
  const bool has_record = next_record != logs_[lane / 32].start(lane % 32);
  return has_record ? context_.line(static_cast<SiteNumber>(
                          next_record[-std::ptrdiff_t{WarpLog::lanes}] >> 48))
                    : kernel_line_;
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
               fmt::format("overwrote {}. Look for an index beyond a local array, and for a "
                           "pointer to a local variable gone astray",
                           what));
}

// Call it after an early end. The rows that are still in the logs contain the access that caused
// it.
void BlockRunner::judge_what_is_left() {
  judge_logs();
  ending_.show_stray(context_);
  for (Observer* observer : context_.observers) observer->on_block_end();
  ending_.report_fault(context_);
}

}  // namespace histolab::kernels::emulator
