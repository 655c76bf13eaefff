#include "kernels/emulator/run/step_budget.h"

#include <algorithm>
#include <utility>

namespace histolab::kernels::emulator {

StepBudget::StepBudget(std::uint64_t limit, std::size_t warps) : limit_(limit) {
  steps_.of_warps.resize(warps);
  steps_.asleep.resize(warps);
}

void StepBudget::begin_block() {
  std::ranges::fill(steps_.of_warps, WarpSteps{});
  std::ranges::fill(steps_.asleep, 0);
  steps_.of_barriers = 0;
}

void StepBudget::count_rows(std::uint32_t warp, const WarpLog::Judged& judged) {
  WarpSteps& steps = steps_.of_warps[warp];
  if (judged.level) {
    steps.of_all += judged.most;
    return;
  }
  std::uint64_t most = steps.most;
  for (std::uint32_t lane = 0; lane < WarpLog::lanes; ++lane) {
    steps.of_each[lane] += judged.rows[lane];
    most = std::max(most, steps.of_each[lane]);
  }
  steps.most = most;
}

std::uint32_t StepBudget::restart(std::uint32_t warp) {
  steps_.of_warps[warp] = {};
  return std::exchange(steps_.asleep[warp], 0);
}

std::uint32_t StepBudget::furthest(std::uint32_t warp) const {
  const auto& of_each = steps_.of_warps[warp].of_each;
  return static_cast<std::uint32_t>(std::ranges::max_element(of_each) - of_each.begin());
}

}  // namespace histolab::kernels::emulator
