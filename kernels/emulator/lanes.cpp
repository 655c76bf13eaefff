#include "kernels/emulator/lanes.h"

#include <algorithm>

namespace histolab::kernels::emulator {

Lanes::Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call) : window_(window), call_(call) {
  warps_.resize((thread.size() + 31) / 32);
  lanes_.resize(thread.size());
  for (std::size_t l = 0; l < thread.size(); ++l) lanes_[l].thread = thread[l];
}

std::uint32_t Lanes::existing(std::uint32_t warp) const {
  const std::size_t lanes = std::min<std::size_t>(lanes_.size() - warp * 32, 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

std::uint64_t Lanes::stack_top() const { return reinterpret_cast<std::uint64_t>(window_.stack_top(running_->stack)); }

bool Lanes::all_at_one_site() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.site == lanes_[0].site; });
}

void Lanes::begin_block() {
  for (Lane& lane : lanes_) lane.fiber = nullptr, lane.wrote = false;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.runnable = existing(w);
    warp.at_barrier = warp.at_warp_sync = warp.full = 0;
  }
}

bool Lanes::run(std::uint32_t warp, std::uint32_t lanes) {
  pass_warp_ = &warps_[warp];
  pass_first_ = &lanes_[warp * 32];
  pass_lanes_ = lanes;
  const Fiber first = next_of_pass();
  if (first != nullptr) switch_to(&caller_, first);
  running_ = nullptr;
  return !left_ && !out_of_memory_;
}

// On its own stack. nullptr: no memory for it.
Fiber Lanes::make_ready(Lane& lane) {
  lane.stack = static_cast<std::uint16_t>(&lane - lanes_.data());
  for (; mapped_stacks_ <= lane.stack; ++mapped_stacks_) {
    if (window_.map_stack(mapped_stacks_)) continue;
    out_of_memory_ = true;
    pass_lanes_ = 0;
    return nullptr;
  }
  return make_fiber(window_.stack_top(lane.stack), &Lanes::lane_main);
}

void Lanes::lane_main() {
  Lanes& all = *current.lanes;
  for (;;) {
    all.call_();
    Lane* lane = all.running_;
    all.cursor() = current.cursor;
    all.pass_warp_->runnable &= ~(1u << (lane - all.pass_first_));
    if (all.pass_lanes_ != 0) {
      Lane* next = all.pass_first_ + __builtin_ctz(all.pass_lanes_);
      if (next->fiber == nullptr) {  // goes on here
        all.pass_lanes_ &= all.pass_lanes_ - 1;
        next->stack = lane->stack;
        all.load(next);
        continue;
      }
    }
    all.switch_away(&all.nobody_);
    __builtin_unreachable();
  }
}

void Lanes::leave() {
  cursor() = current.cursor;
  left_ = true;
  pass_lanes_ = 0;
  switch_away(&nobody_);
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
