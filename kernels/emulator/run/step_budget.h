// StepBudget: the steps that each thread of a block may make.
//
// The emulator assumes that a thread with more steps is in an endless loop, or waits forever. Steps
// are accesses, barriers, warp-level functions, sleeps, prints and failed allocations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/lanes/warp_log.h"

namespace histolab::kernels::emulator {

class StepBudget {
 public:
  // Steps made by the lanes of a warp.
  struct WarpSteps {
    std::uint64_t of_all = 0;                 // steps of each lane while the lanes were level
    std::array<std::uint64_t, 32> of_each{};  // further steps per lane
    std::uint64_t most = 0;                   // maximum of of_each
  };
  // The steps of a block, to restore them when the block continues.
  struct Steps {
    std::vector<WarpSteps> of_warps;
    std::uint64_t of_barriers = 0;      // steps that the block's barriers count as
    std::vector<std::uint32_t> asleep;  // per warp: lanes that sleep beyond their budget, as bits
  };

  // `limit`: steps per thread.
  StepBudget(std::uint64_t limit, std::size_t warps);

  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  void set_limit(std::uint64_t limit) { limit_ = limit; }

  // Another block runs: one that begins, or one that continues.
  void begin_block();
  void resume_block(Steps steps) { steps_ = std::move(steps); }
  [[nodiscard]] const Steps& steps() const { return steps_; }

  // Counts a step of a lane. Lanes are numbered within the block.
  void count_step(std::uint32_t lane) {
    WarpSteps& steps = steps_.of_warps[lane / 32];
    steps.most = std::max(steps.most, ++steps.of_each[lane % 32]);
  }
  void count_rows(std::uint32_t warp, const WarpLog::Judged& judged);
  // Counts steps that each lane of the warp has made without a record.
  void count_unrecorded(std::uint32_t warp, std::uint32_t steps) {
    steps_.of_warps[warp].of_all += steps;
  }
  // Counts a barrier of the whole block.
  void count_barrier(std::uint64_t steps) { steps_.of_barriers += steps; }
  // The lane sleeps although its budget is used up.
  void note_asleep(std::uint32_t lane) { steps_.asleep[lane / 32] |= 1u << lane % 32; }
  // Gives the lanes of the warp their full budget again. Returns those that sleep, as bits.
  std::uint32_t restart(std::uint32_t warp);

  // Returns false if a lane of the warp has used up its budget.
  [[nodiscard]] bool is_left(std::uint32_t warp) const { return used(warp) <= limit_; }
  // Returns true in the last eighth of the budget.
  [[nodiscard]] bool is_nearly_used_up(std::uint32_t warp) const {
    return used(warp) > limit_ - limit_ / 8;
  }
  // Returns the lane of the warp, 0 to 31, that has made the most steps.
  [[nodiscard]] std::uint32_t furthest(std::uint32_t warp) const;
  // Returns the lanes of the warp, as bits, that sleep although their budget is used up.
  [[nodiscard]] std::uint32_t asleep(std::uint32_t warp) const { return steps_.asleep[warp]; }

 private:
  [[nodiscard]] std::uint64_t used(std::uint32_t warp) const {
    const WarpSteps& steps = steps_.of_warps[warp];
    return steps.of_all + steps.most + steps_.of_barriers;
  }

  std::uint64_t limit_;
  Steps steps_;
};

}  // namespace histolab::kernels::emulator
