// BlockRunner: warp-level functions, at which the lanes of a warp wait for each other.
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {

std::uint64_t BlockRunner::meet(const WarpCall& call) {
  const std::uint32_t lane = lanes_.running();
  collectives_.deposit(lane, call);
  Lanes::wait(&Warp::at_warp_sync, call.site);
  current.wrote = false;
  return collectives_.answer_to(lane);
}

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
    if (group == 0 && warp.runnable == 0) group = give_up_waiting(index), in_vain = true;
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

// Returns the lanes that go first among those that call __activemask().
std::uint32_t BlockRunner::furthest_behind(std::uint32_t index, std::uint32_t asking) {
  std::array<SiteNumber, 32> site{};
  for_each_lane(
      asking, [&](std::uint32_t lane) { site[lane] = collectives_.call(index * 32 + lane).site; });
  return logs_[index].first_of(*context_.flow, asking, site);
}

// Reports that lanes wait for one that never comes. Returns these lanes, which are released. Call
// it if no lane of the warp can continue.
std::uint32_t BlockRunner::give_up_waiting(std::uint32_t index) {
  const WarpCollectives::InVain in_vain = collectives_.in_vain(index);
  const std::uint32_t lane = index * 32 + static_cast<std::uint32_t>(__builtin_ctz(in_vain.lanes));
  const bool at_barrier = (warps_[index].at_barrier >> in_vain.missing % 32 & 1) != 0;
  if (at_barrier && collectives_.call(lane).function == WarpFunction::sync)
    report_barrier_divergence(lane, in_vain.missing);
  else
    collectives_.report_in_vain(index, in_vain);
  return in_vain.lanes;
}

}  // namespace histolab::kernels::emulator
