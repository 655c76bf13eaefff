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
#include "kernels/emulator/launch/messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
void BlockRunner::end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = line;
  finding.thread = thread_id(lane);
  finding.message = (asleep_[lane / 32] >> lane % 32 & 1) != 0
                        ? sleeps_message(finding)
                        : step_limit_message(finding, budget);
  end_stuck(std::move(finding), "step limit");
}

void BlockRunner::end_by_stray(std::uint64_t address, SiteNumber site) {
  need_stack_room();
  const Site& at = (*context_.sites)[site];
  // Shown to the observers after all earlier rows, because its record is not in the log.
  pending_stray_ = StrayAccess{site, at.kind, at.bytes, lanes_.running(), address};
  end_ = {end_.rows, Ending::stopped, "an access to memory that is not there"};
  if (context_.debugged) report_stray();
  lanes_.leave();
}

// Reports the pending stray access while the lane is still at it. For debugged launches.
void BlockRunner::report_stray() {
  const std::uint32_t lane = lanes_.running();
  Lanes::note_place();
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (logs_[w].has_memory()) logs_[w].judge(context_, warps_[w].cursor, 0);
  next_record = warps_[lane / 32].cursor[lane % 32];
  for (Observer* observer : context_.observers) observer->on_stray_access(*pending_stray_);
  pending_stray_.reset();
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
  end_ = {
      end_.rows, Ending::stopped,
      is_frame ? "no room on the thread's stack" : "an access beyond the thread's local variables"};
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
  end_ = {end_.rows, Ending::stopped, std::string(message)};
  lanes_.leave();
}

void BlockRunner::end_by_overwriting(std::string_view what, int line) {
  need_stack_room();
  end_by_fault(FindingKind::illegal_instruction, line,
               fmt::format("overwrote {}. Look for an index beyond the end of a local array, and "
                           "for an invalid pointer to a local variable",
                           what));
}

// Call it after an early end. The rows that are still in the logs contain the access that caused
// it.
void BlockRunner::judge_what_is_left() {
  const auto budget_is_no_matter = end_;
  for (std::uint32_t w = 0; w < logs_.size(); ++w) {
    if (!logs_[w].has_memory()) continue;
    logs_[w].judge(context_, warps_[w].cursor, 0);
  }
  if (pending_stray_)
    for (Observer* observer : context_.observers) observer->on_stray_access(*pending_stray_);
  for (Observer* observer : context_.observers) observer->on_block_end();
  end_ = budget_is_no_matter;
  if (fault_) report_fault();
}

void BlockRunner::report_fault() {
  end_ = {end_.rows, Ending::stopped,
          fmt::format("signal {} ({})", fault_->signal, strsignal(fault_->signal))};
  // A crash needs no finding if an observer has already reported the access that caused it.
  const auto explains = [](const Finding& f) {
    return f.kind == FindingKind::out_of_bounds || f.kind == FindingKind::misaligned_access;
  };
  const auto& known = context_.findings->findings();
  if (fault_->is_by_access() && !fault_->in_stack &&
      std::any_of(known.begin(), known.end(), explains))
    return;
  Finding finding;
  finding.line = context_.line_of_instruction(fault_->instruction);
  finding.thread = thread_id(fault_->lane);
  finding.kind = FindingKind::illegal_instruction;
  finding.message = fmt::format("{} {}", describe(*finding.thread), fault_->what());
  context_.findings->add(std::move(finding));
}

}  // namespace histolab::kernels::emulator
