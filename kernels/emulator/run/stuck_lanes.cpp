#include "kernels/emulator/run/stuck_lanes.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "kernels/emulator/messages/names.h"
#include "kernels/emulator/messages/progress_messages.h"

namespace histolab::kernels::emulator {
namespace {

std::uint32_t number_of(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(__builtin_popcount(lanes));
}

}  // namespace

void WatchedWarp::note(const SiteTable& sites, const Warp& lanes, const WarpLog& log) {
  for_each_lane(lanes_, [&](std::uint32_t lane) {
    for (const std::uint64_t record : log.records(lane, lanes.cursor[lane])) {
      const AccessKind kind = sites[WarpLog::site(record)].kind;
      if (kind == AccessKind::store) stored_ |= 1u << lane;
      if (!is_question(kind)) continue;
      asked_ |= 1u << lane;
      question_[lane] = record;
    }
  });
}

Finding deadlock_finding(const LaunchContext& context, const Lanes& lanes, std::uint32_t lane,
                         std::uint64_t question) {
  std::uint32_t asking = 0, at_barrier = 0, ended = 0;
  std::optional<std::uint32_t> other;  // a lane that waits elsewhere
  for (std::uint32_t w = 0; w < lanes.warps().size(); ++w) {
    const Warp& warp = lanes.warps()[w];
    const std::uint32_t waiting = warp.at_barrier | warp.at_warp_sync;
    asking += number_of(warp.runnable);
    at_barrier += number_of(waiting);
    ended += number_of(lanes.existing(w) & ~warp.live());
    if (waiting != 0 && !other) other = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(waiting));
  }
  Finding finding;
  finding.kind = FindingKind::deadlock;
  finding.line = context.line(WarpLog::site(question));
  finding.thread = context.thread_id(lane);
  const std::uint64_t address = WarpLog::address(question);
  if (const Region* region = context.window->find(address)) {
    const std::uint32_t bytes = region->element_bytes != 0
                                    ? region->element_bytes
                                    : (*context.sites)[WarpLog::site(question)].bytes;
    finding.space = region->space;
    finding.variable = region->name;
    if (region->size != bytes) finding.index = (address - region->address()) / bytes;
  }
  std::string others;
  const auto add = [&](std::uint32_t threads, std::string_view what) {
    if (threads == 0) return;
    const std::string_view before = others.empty() ? "of the others in its block, " : ", ";
    others += fmt::format("{}{} {}", before, threads, what);
  };
  add(asking - 1, asking == 2 ? "polls too" : "poll too");
  if (other) {
    finding.other_thread = context.thread_id(*other);
    finding.other_line = context.line(lanes.site(*other));
    const std::string_view verb = at_barrier == 1 ? "waits" : "wait";
    add(at_barrier, fmt::format("{} for the rest ({})", verb, line_name(finding.other_line)));
  }
  add(ended, ended == 1 ? "has ended" : "have ended");
  if (others.empty()) others = "its block has no other thread";
  finding.message = deadlock_message(finding, others);
  return finding;
}

}  // namespace histolab::kernels::emulator
