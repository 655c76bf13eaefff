#include "kernels/emulator/lanes.h"

#include <algorithm>

namespace histolab::kernels::emulator {

constinit thread_local Lanes::Pass Lanes::pass_;

Lanes::Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call) : window_(window), call_(call) {
  warps_.resize((thread.size() + 31) / 32);
  lanes_.resize(thread.size());
  free_stacks_.reserve(thread.size());
  for (std::size_t l = 0; l < thread.size(); ++l) lanes_[l].thread = thread[l];
}

std::uint32_t Lanes::existing(std::uint32_t warp) const {
  const std::size_t lanes = std::min<std::size_t>(lanes_.size() - warp * 32, 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

std::uint64_t Lanes::stack_top() const { return reinterpret_cast<std::uint64_t>(window_.stack_top(running_lane().stack)); }

bool Lanes::all_at_one_site() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.site == lanes_[0].site; });
}

void Lanes::begin_block() {
  for (Lane& lane : lanes_) lane.fiber = nullptr;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.runnable = existing(w);
    warp.at_barrier = warp.at_warp_sync = warp.full = 0;
  }
}

bool Lanes::run(std::uint32_t warp, std::uint32_t lanes) {
  std::uint64_t* const of_caller = next_record;
  Warp& runs = warps_[warp];
  pass_.first = &lanes_[std::size_t{warp} * 32];
  pass_.warp = &runs;
  pass_.left = lanes;
  pass_.at_barrier = pass_.returned = 0;
  Fiber fiber = running_lane().fiber;
  if (fiber == nullptr) fiber = make_ready(running_lane());
  if (!out_of_memory_) {
    load();
    switch_to(&pass_.caller, fiber);
  }
  pass_.left = 0;
  runs.runnable &= ~(pass_.at_barrier | pass_.returned);
  runs.at_barrier |= pass_.at_barrier;
  next_record = of_caller;
  return !left_ && !out_of_memory_;
}

// On a stack of its own. Where there is no memory for one, the pass ends.
Fiber Lanes::make_ready(Lane& lane) {
  Lanes& all = *current.lanes;
  if (!all.free_stacks_.empty()) {
    lane.stack = all.free_stacks_.back();
    all.free_stacks_.pop_back();
  } else if (all.window_.map_stack(all.mapped_stacks_)) {
    lane.stack = all.mapped_stacks_++;
  } else {
    all.out_of_memory_ = true;
    return pass_.caller;
  }
  return make_fiber(all.window_.stack_top(lane.stack), &Lanes::lane_main);
}

void Lanes::lane_main() {
  const KernelCall& call = current.lanes->call_;
  for (;;) {
    current.wrote = false;
    call();
    const std::uint32_t index = pass_.index(), left = pass_.left & (pass_.left - 1);
    pass_.warp->cursor[index] = next_record;
    pass_.returned |= pass_.bit();
    const std::uint16_t stack = pass_.first[index].stack;
    if (left == 0 || pass_.first[__builtin_ctz(left)].fiber != nullptr) {
      current.lanes->free_stacks_.push_back(stack);
      break;
    }
    pass_.left = left;
    running_lane().stack = stack;  // the next one goes on here
    load();
  }
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

void Lanes::leave() {
  left_ = true;
  pass_.left = pass_.bit();  // nobody comes next
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
