#include "kernels/emulator/lanes.h"

#include <algorithm>

namespace histolab::kernels::emulator {

constinit thread_local Lanes::Pass Lanes::pass_;

Lanes::Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call) : window_(window), call_(call) {
  warps_.resize((thread.size() + 31) / 32);
  lanes_.resize(thread.size());
  for (std::size_t l = 0; l < thread.size(); ++l) lanes_[l].thread = thread[l];
}

std::uint32_t Lanes::existing(std::uint32_t warp) const {
  const std::size_t lanes = std::min<std::size_t>(lanes_.size() - warp * 32, 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

std::uint64_t Lanes::stack_top() const { return reinterpret_cast<std::uint64_t>(window_.stack_top(pass_.running->stack)); }

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
  Lane* first = &lanes_[warp * 32];
  const auto index = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  pass_.first = first;
  pass_.warp = &warps_[warp];
  pass_.left = lanes & (lanes - 1);
  pass_.at_barrier = 0;
  Fiber fiber = first[index].fiber;
  if (fiber == nullptr) fiber = make_ready(first[index]);
  load(first + index, index, lanes & (0 - lanes));
  switch_to(&pass_.caller, fiber);
  pass_.warp->runnable &= ~pass_.at_barrier;
  pass_.warp->at_barrier |= pass_.at_barrier;
  return !left_ && !out_of_memory_;
}

// On its own stack. Where there is no memory for one, the pass ends.
Fiber Lanes::make_ready(Lane& lane) {
  Lanes& all = *current.lanes;
  lane.stack = static_cast<std::uint16_t>(&lane - all.lanes_.data());
  for (; all.mapped_stacks_ <= lane.stack; ++all.mapped_stacks_) {
    if (all.window_.map_stack(all.mapped_stacks_)) continue;
    all.out_of_memory_ = true;
    pass_.left = 0;
    return pass_.caller;
  }
  return make_fiber(all.window_.stack_top(lane.stack), &Lanes::lane_main);
}

void Lanes::lane_main() {
  const KernelCall& call = current.lanes->call_;
  for (;;) {
    current.wrote = false;
    call();
    *pass_.cursor = current.cursor;
    pass_.warp->runnable &= ~pass_.bit;
    const std::uint32_t left = pass_.left;
    const auto index = static_cast<std::uint32_t>(__builtin_ctz(left | 1u << 31));
    Lane* next = pass_.first + index;
    if (left == 0 || next->fiber != nullptr) break;
    pass_.left = left & (left - 1);
    next->stack = pass_.running->stack;  // it goes on here
    load(next, index, left & (0 - left));
  }
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

void Lanes::leave() {
  left_ = true;
  pass_.left = 0;
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
