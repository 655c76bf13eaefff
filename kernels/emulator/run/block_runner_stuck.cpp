// BlockRunner: a thread has used up its budget. Decides whether its loop is endless, or it waits
// for an event that cannot happen. See docs/emulator.md, "Room run", "Stuck blocks".
#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/run/block_runner.h"
#include "kernels/emulator/run/memory_checksum.h"
#include "kernels/emulator/run/stuck_lanes.h"

namespace histolab::kernels::emulator {
namespace {

constexpr int passes_to_watch = 128;  // in stepping schedules. In others, a pass fills a log

// While it exists, nothing of the launch is observed. Then memory is as it was before.
class Unobserved {
 public:
  explicit Unobserved(LaunchContext& context)
      : context_(context),
        observers_(std::exchange(context.observers, {})),
        findings_(std::exchange(context.findings, &ignored_)),
        live_(std::exchange(context.live, nullptr)),
        block_(context.block) {
    for (const Region& region : context.window->regions())
      if (region.space == Space::global && !region.is_read_only())
        memory_.emplace_back(&region, std::vector(region.begin, region.begin + region.size));
  }
  ~Unobserved() {
    for (const auto& [region, bytes] : memory_) std::ranges::copy(bytes, region->begin);
    context_.block = block_;
    context_.live = live_;
    context_.findings = findings_;
    context_.observers = observers_;
  }
  Unobserved(const Unobserved&) = delete;
  Unobserved& operator=(const Unobserved&) = delete;

 private:
  LaunchContext& context_;
  FindingLog ignored_;
  std::vector<Observer*> observers_;
  FindingLog* findings_;
  LiveLaunch* live_;
  std::uint32_t block_;
  std::vector<std::pair<const Region*, std::vector<std::uint8_t>>> memory_;
};

}  // namespace

bool BlockRunner::watch(std::uint32_t index, WatchedWarp& watched) {
  Warp& warp = warps_[index];
  watched = WatchedWarp(warp.runnable);
  logs_.begin_turn(index, warp);
  for (int pass = current.stepping ? passes_to_watch : 4;
       pass > 0 && warp.runnable == watched.lanes(); --pass) {
    warp.full &= ~budget_.asleep(index);
    if (warp.with_room() != 0 && !run_lanes(index, warp.with_room())) return false;
    polled_.note(index, warp, logs_[index]);
    watched.note(*context_.sites, warp, logs_[index]);
    judge_rows(index, warp.runnable == 0);
  }
  watched.end(warp.runnable);
  return true;
}

bool BlockRunner::out_of_budget(std::uint32_t lane, int line) {
  const std::uint32_t own = lane / 32;
  std::vector<WatchedWarp> watched(warps_.size());
  std::uint64_t before = checksum(*context_.window);
  bool others_get_on = interruptions_ && interruptions_->has_blocks() && !patience_.is_over();
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].runnable == 0) continue;
    if (!watch(w, watched[w])) return false;
    const std::uint64_t after = checksum(*context_.window);
    if (after != before) watched[w].note_change();
    before = after;
    if (w == own) continue;  // its turn has not ended
    if (warps_[w].runnable == 0 && !open_warp_syncs(w, true)) return false;
    logs_.end_turn(w, warps_[w]);
    if (watched[w].all_wait()) continue;
    others_get_on = true;
    if (budget_.is_left(w)) continue;
    // Checked here, since the rows of a watched warp are never checked against its budget
    // elsewhere.
    const std::uint32_t furthest = budget_.furthest(w);
    end_by_step_limit(w * 32 + furthest, context_.line(logs_[w].last_site(furthest)),
                      budget_.limit());
    return false;
  }
  if (!watched[own].all_wait()) {
    end_by_step_limit(lane, line, budget_.limit());
    return false;
  }
  if (!others_get_on) {
    polled_.note_unchanged();  // nothing has changed since the lanes were watched
    end_stuck(deadlock_finding(context_, lanes_, lane, watched[own].question(lane % 32)),
              "deadlock");
    return false;
  }
  warps_[own].full &= ~budget_.restart(own);
  patience_.restart();
  polled_.forget();
  return true;
}

// ---- does it wait for another block? -----------------------------------------------------------
//
// A block that got stuck while it polled global memory may wait for a block that has not run yet.
// So such blocks run now, without observers and with a small budget. The block waits for the first
// write that changes a polled word. Then memory is restored. Only the text of the finding depends
// on this.

void BlockRunner::end_stuck(Finding finding, std::string_view detail) {
  ending_.stop(std::string(detail));
  if (polled_.is_searching()) return;
  polled_.settle();
  ending_.stuck = std::move(finding);
}

void BlockRunner::report_stuck(std::uint32_t next) {
  Finding finding = *std::exchange(ending_.stuck, std::nullopt);
  const std::uint32_t stuck = context_.block;
  if (const std::optional<PolledWords::Writer> writer = find_writer(next)) {
    const PolledWords::Word& polled = writer->polled;
    const Region& region = *context_.window->find(polled.address);
    const std::uint64_t bytes = region.element_bytes != 0 ? region.element_bytes : polled.bytes;
    finding = {};
    finding.kind = FindingKind::deadlock;
    finding.space = Space::global;
    finding.variable = region.name;
    if (region.size != bytes) finding.index = (polled.address - region.address()) / bytes;
    finding.line = context_.line(polled.site);
    finding.other_line = context_.line(writer->site);
    finding.thread = context_.thread_id(stuck, polled.lane);
    finding.other_thread = context_.thread_id(writer->block, writer->lane);
    finding.message = waits_for_block_message(finding);
    ending_.stop("a block waits for another one");
  }
  context_.findings->add(std::move(finding));
}

// Blocks that get stuck run again, in the opposite order, as long as another block ends: they may
// have waited for it.
std::optional<PolledWords::Writer> BlockRunner::find_writer(std::uint32_t next) {
  if (context_.debugged || lanes_.has_left() || !polled_.begin_search()) return std::nullopt;
  const Unobserved unobserved(context_);
  const LaunchEnding ending = ending_;
  const std::uint64_t rows = rows_;
  PrintedText printed = printed_;
  set_budget(std::max<std::uint64_t>(1024, budget_.limit() / 64));
  std::vector<std::uint32_t> waiting = blocks_to_try(next);
  for (bool gets_on = true; gets_on && !polled_.has_found();) {
    std::vector<std::uint32_t> stuck = try_blocks(waiting);
    gets_on = stuck.size() < waiting.size();
    waiting = std::move(stuck);
  }
  stall_watch_.forget();
  set_budget(options_.steps_per_thread);
  printed_ = std::move(printed);
  ending_ = ending;
  rows_ = rows;
  return polled_.end_search();
}

std::vector<std::uint32_t> BlockRunner::try_blocks(const std::vector<std::uint32_t>& positions) {
  std::vector<std::uint32_t> stuck;
  for (const std::uint32_t position : positions) {
    if (polled_.has_found() || lanes_.has_left()) break;
    lanes_.abandon_block();
    logs_.clear();
    barrier_.forget_predicates();
    ending_.go_on();
    run_block_at(position);
    if (ending_.has_come()) stuck.push_back(position);
  }
  std::ranges::reverse(stuck);
  return stuck;
}

// The blocks with the lowest and with the highest numbers: a chain of waiting blocks may begin at
// either end.
std::vector<std::uint32_t> BlockRunner::blocks_to_try(std::uint32_t next) const {
  constexpr std::uint32_t most = 64;
  std::vector<std::uint32_t> positions(blocks() - next);
  std::iota(positions.begin(), positions.end(), next);
  if (positions.size() <= most) return positions;
  if (options_.block_order == BlockOrder::random)
    std::ranges::sort(positions, {},
                      [&](std::uint32_t position) { return sequence_.at(position); });
  positions.erase(positions.begin() + most / 2, positions.end() - most / 2);
  return positions;
}

}  // namespace histolab::kernels::emulator
