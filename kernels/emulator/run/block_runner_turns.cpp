// BlockRunner: the turns of a block's warps, their rows, and the warp-level functions at which
// lanes of a warp wait for each other.
#include <array>

#include "kernels/emulator/launch/live_launch.h"
#include "kernels/emulator/run/block_runner.h"
#include "reference/splitmix64.h"

namespace histolab::kernels::emulator {
namespace {

// Returns the number of the k-th set bit of `mask`, from 0.
std::uint32_t nth_lane(std::uint32_t mask, std::uint32_t k) {
  while (k-- > 0) mask &= mask - 1;
  return static_cast<std::uint32_t>(__builtin_ctz(mask));
}

}  // namespace

void BlockRunner::set_budget(std::uint64_t steps) {
  budget_.set_limit(steps);
  patience_.set_budget(steps);
}

bool BlockRunner::run_in_turns() {
  for (bool progress = true; progress;) {
    progress = false;
    for (std::uint32_t turn = 0; turn < logs_.size(); ++turn) {
      const std::uint32_t warp = warp_order_.at(turn);
      if (warps_[warp].runnable == 0) continue;
      progress = true;
      if (!run_warp(warp)) return false;
    }
  }
  return true;
}

bool BlockRunner::run_warp(std::uint32_t warp) {
  patience_.begin_turn();
  logs_.begin_turn(warp, warps_[warp]);
  while (patience_.turn_lasts() && warps_[warp].runnable != 0) {
    const std::uint32_t lanes = warps_[warp].with_room();
    if (!run_lanes(warp, lanes)) return false;
    const bool all_wait = warps_[warp].runnable == 0;
    // In a stepping schedule a pass is short, so rows are judged only when a log is full.
    if (current.stepping && !all_wait && warps_[warp].full == 0 && !context_.debugged) continue;
    const bool others_first = poll_watch_.must_yield(warp, logs_[warp]);
    if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
    if (others_first) break;
  }
  logs_.end_turn(warp, warps_[warp]);
  return true;
}

bool BlockRunner::run_random() {
  for (;;) {
    std::vector<std::uint32_t> warps;
    for (std::uint32_t w = 0; w < logs_.size(); ++w)
      if (warps_[w].runnable != 0) warps.push_back(w);
    if (warps.empty()) return true;
    const std::uint32_t warp = warps[reference::next_random(random_) % warps.size()];
    logs_.begin_turn(warp, warps_[warp]);
    // The chosen warp makes several steps. That is faster, and every order of two accesses is still
    // possible.
    for (std::uint64_t steps = 1 + reference::next_random(random_) % 64;
         (steps-- > 0 || patience_.is_over()) && warps_[warp].runnable != 0;) {
      const std::uint32_t lanes = warps_[warp].with_room();
      const auto choice = static_cast<std::uint32_t>(
          reference::next_random(random_) % static_cast<std::uint32_t>(__builtin_popcount(lanes)));
      if (!run_lanes(warp, 1u << nth_lane(lanes, choice))) return false;
      const bool all_wait = warps_[warp].runnable == 0;
      if (!all_wait && warps_[warp].with_room() != 0) continue;
      const bool others_first = poll_watch_.must_yield(warp, logs_[warp]);
      if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
      if (others_first) break;
    }
    logs_.end_turn(warp, warps_[warp]);
  }
}

bool BlockRunner::run_adversarial() {
  adversary_->begin_interval();
  for (;;) {
    const std::uint32_t lane = adversary_->next_lane(warps_);
    if (lane == Lanes::none) return true;
    const std::uint32_t warp = lane / 32;
    if (adversary_->has_sprinted_in_vain()) patience_.restart();  // the sprint made the rows
    if (patience_.is_over() && !adversary_->is_sprinting(warp)) {
      if (!run_warp(warp)) return false;
      continue;
    }
    logs_.begin_turn(warp, warps_[warp]);
    bool continues = true;
    do {
      if (!run_lanes(warp, 1u << lane % 32)) return false;
      const bool paused = (warps_[warp].with_room() >> lane % 32 & 1) != 0;
      if (interruptions_ && paused && is_interrupted_before(lane, current.next)) {
        interrupt_block();
        return true;
      }
      continues = paused && adversary_->continues(lane, current.next);
    } while (continues);
    const bool all_wait = warps_[warp].runnable == 0;
    if (warps_[warp].with_room() == 0 && (!judge(warp, all_wait) || !open_warp_syncs(warp)))
      return false;
    logs_.end_turn(warp, warps_[warp]);
  }
}

bool BlockRunner::run_lanes(std::uint32_t warp, std::uint32_t lanes) {
  if (context_.live == nullptr ? lanes_.run(warp, lanes) : run_lanes_watched(warp, lanes))
    return true;
  if (lanes_.out_of_memory())
    ending_.crash("no memory for the threads' stacks");
  else
    ending_.leave();
  return false;
}

bool BlockRunner::run_lanes_watched(std::uint32_t warp, std::uint32_t lanes) {
  context_.live->begin_step();
  const bool go_on = lanes_.run(warp, lanes);
  context_.live->end_step();
  return go_on;
}

WarpLog::Judged BlockRunner::judge_rows(std::uint32_t index, bool all) {
  Warp& warp = warps_[index];
  if (polled_.is_searching())
    polled_.search(index, lanes_.existing(index), warp, logs_[index]);
  else if (budget_.is_nearly_used_up(index))
    polled_.note(index, warp, logs_[index]);
  const WarpLog::Judged judged = logs_[index].judge(context_, warp.cursor, all ? 0 : warp.runnable);
  patience_.count_rows(judged.most);
  rows_ += judged.most;
  stall_watch_.count_progress(judged.most);
  budget_.count_rows(index, judged);
  // A full log follows accesses that were not recorded.
  if (judged.level && judged.most == WarpLog::rows)
    budget_.count_unrecorded(index, current.skipped);
  if (judged.level) {
    if (judged.most != 0) warp.full = 0;
  } else {
    for (std::uint32_t l = 0; l < WarpLog::lanes; ++l)
      if (judged.rows[l] != 0) warp.full &= ~(1u << l);
  }
  return judged;
}

bool BlockRunner::judge(std::uint32_t index, bool all) {
  const WarpLog::Judged judged = judge_rows(index, all);
  if (budget_.is_left(index)) return true;
  const std::uint32_t lane = budget_.furthest(index);
  // A loop that only synchronizes has no rows.
  const bool accessed = judged.level ? judged.most != 0 : judged.rows[lane] != 0;
  const SiteNumber site = accessed ? logs_[index].last_site(lane) : lanes_.site(index * 32 + lane);
  return out_of_budget(index * 32 + lane, context_.line(site));
}

// ---- warp-level functions ----------------------------------------------------------------------

bool BlockRunner::open_warp_syncs(std::uint32_t index, bool judged) {
  Warp& warp = warps_[index];
  bool in_vain = false;
  for (; warp.at_warp_sync != 0; judged = true) {
    std::uint32_t group = collectives_.complete(index);
    const std::uint32_t asking = group == 0 ? collectives_.at_active_mask(index) : 0;
    if (asking != 0 && (warp.runnable == 0 || patience_.has_waited_long(index))) {
      if (!judged && !judge(index, true)) return false;  // furthest_behind() needs judged rows
      judged = true;
      group = furthest_behind(index, asking);
    }
    // They have waited for the lanes that were just released.
    if (group == 0 && in_vain) group = collectives_.in_vain(index).lanes;
    if (group == 0 && warp.runnable == 0) {
      group = give_up_waiting(index);
      in_vain = true;
    }
    if (group == 0) return true;
    // Judge everything that was logged before the call, before the call returns.
    if (!judged && !judge(index, true)) return false;
    continue_together(index, group);
  }
  return true;
}

void BlockRunner::continue_together(std::uint32_t index, std::uint32_t group) {
  Warp& warp = warps_[index];
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(group));
  const WarpCall& call = collectives_.call(index * 32 + first);
  collectives_.hold(index, group);
  if (call.function == WarpFunction::sync)
    for (Observer* observer : context_.observers) observer->on_warp_sync(index, group);
  const bool waited = call.function != WarpFunction::active_mask;
  if (waited && group == (warp.at_warp_sync | warp.runnable)) logs_[index].converge(first);
  logs_[index].pass(*context_.flow, group, call.site);
  for_each_lane(group, [&](std::uint32_t lane) { budget_.count_step(index * 32 + lane); });
  stall_watch_.count_progress();
  warp.at_warp_sync &= ~group;
  warp.runnable |= group;
  patience_.stop_waiting(index);
}

std::uint32_t BlockRunner::furthest_behind(std::uint32_t index, std::uint32_t asking) {
  std::array<SiteNumber, 32> site{};
  for_each_lane(
      asking, [&](std::uint32_t lane) { site[lane] = collectives_.call(index * 32 + lane).site; });
  return logs_[index].first_of(*context_.flow, asking, site);
}

std::uint32_t BlockRunner::give_up_waiting(std::uint32_t index) {
  const WarpCollectives::InVain in_vain = collectives_.in_vain(index);
  const std::uint32_t lane = index * 32 + static_cast<std::uint32_t>(__builtin_ctz(in_vain.lanes));
  const bool at_barrier = (warps_[index].at_barrier >> in_vain.missing % 32 & 1) != 0;
  if (at_barrier && collectives_.call(lane).function == WarpFunction::sync)
    context_.findings->add(divergence_finding(context_, barrier_.arrival(lane),
                                              barrier_.arrival(in_vain.missing),
                                              grid_barrier_.block_waits()));
  else
    collectives_.report_in_vain(index, in_vain);
  return in_vain.lanes;
}

}  // namespace histolab::kernels::emulator
