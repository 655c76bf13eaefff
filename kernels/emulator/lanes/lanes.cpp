#include "kernels/emulator/lanes/lanes.h"

#include <algorithm>
#include <cstring>

#include "kernels/emulator/debugger/debugger.h"

namespace histolab::kernels::emulator {

constinit thread_local Current current;

constinit thread_local Lanes::Pass Lanes::pass_;

Lanes::Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call)
    : window_(window), call_(call) {
  warps_.resize((thread.size() + 31) / 32);
  lanes_.resize(thread.size());
  sites_.resize(thread.size());
  free_.reserve(thread.size());
  for (std::size_t l = 0; l < thread.size(); ++l) lanes_[l].thread = thread[l];
}

std::uint32_t Lanes::existing(std::uint32_t warp) const {
  const std::size_t lanes = std::min<std::size_t>(lanes_.size() - warp * 32, 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

void Lanes::show_to_debugger() const {
  static_assert(offsetof(Lane, fiber) == 0 && offsetof(Warp, runnable) == 0 &&
                offsetof(Warp, at_barrier) == 4 && offsetof(Warp, at_warp_sync) == 8);
  static_assert(offsetof(Pass, left) == 0 && offsetof(Pass, at_barrier) == 4 &&
                offsetof(Pass, returned) == 8 && offsetof(Pass, first) == 16);
  const auto address = [](const auto* place) { return reinterpret_cast<std::uint64_t>(place); };
  DebugView& view = histolab_debug_view;
  view.lanes = address(lanes_.data());
  view.lane_bytes = sizeof(Lane);
  view.warps = address(warps_.data());
  view.warp_bytes = sizeof(Warp);
  view.sites = address(sites_.data());
  view.pass = address(&pass_);
}

bool Lanes::all_at_one_site() const {
  // Compares each site with the next one.
  return std::memcmp(sites_.data(), sites_.data() + 1, (sites_.size() - 1) * sizeof(SiteNumber)) ==
         0;
}

void Lanes::begin_block() {
  for (Lane& lane : lanes_) lane.fiber = nullptr;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.runnable = existing(w);
    warp.at_barrier = warp.at_warp_sync = warp.full = 0;
  }
}

std::vector<std::uint32_t> Lanes::lanes_on_stacks() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t w = 0; w < warps_.size(); ++w)
    for (std::uint32_t left = warps_[w].live(); left != 0; left &= left - 1) {
      const std::uint32_t lane = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(left));
      if (lanes_[lane].fiber != nullptr) found.push_back(lane);
    }
  return found;
}

std::span<std::uint8_t> Lanes::stack_in_use(const Lane& lane) const {
  auto* const begin = static_cast<std::uint8_t*>(lane.fiber);
  return {begin, window_.stack_top(lane.stack) + call_.arguments.stack_bytes};
}

std::uint64_t Lanes::Suspended::bytes() const {
  return warps.size() * sizeof(Warp) + lanes.size() * sizeof(Lane) +
         sites.size() * sizeof(SiteNumber) + stacks.size();
}

Lanes::Suspended Lanes::suspend_block() {
  Suspended block{warps_, lanes_, sites_, {}};
  const std::vector<std::uint32_t> live = lanes_on_stacks();
  std::size_t bytes = 0;
  for (const std::uint32_t lane : live) bytes += stack_in_use(lanes_[lane]).size();
  block.stacks.reserve(bytes);
  for (const std::uint32_t lane : live) {
    const std::span<std::uint8_t> stack = stack_in_use(lanes_[lane]);
    block.stacks.insert(block.stacks.end(), stack.begin(), stack.end());
  }
  abandon_block();
  return block;
}

void Lanes::abandon_block() {
  free_.clear();
  for (std::uint32_t stack = mapped_stacks_; stack-- > 0;) free_.push_back(stack);
}

// Copies into the vectors and does not replace them, because the debugger knows their addresses.
void Lanes::resume_block(const Suspended& block) {
  std::ranges::copy(block.warps, warps_.begin());
  std::ranges::copy(block.lanes, lanes_.begin());
  std::ranges::copy(block.sites, sites_.begin());
  std::vector<bool> in_use(mapped_stacks_);
  const std::uint8_t* saved = block.stacks.data();
  for (const std::uint32_t lane : lanes_on_stacks()) {
    const std::span<std::uint8_t> stack = stack_in_use(lanes_[lane]);
    std::memcpy(stack.data(), saved, stack.size());
    saved += stack.size();
    in_use[lanes_[lane].stack] = true;
  }
  free_.clear();
  for (std::uint32_t stack = mapped_stacks_; stack-- > 0;)
    if (!in_use[stack]) free_.push_back(stack);
}

bool Lanes::run(std::uint32_t warp, std::uint32_t lanes) {
  std::uint64_t* const of_caller = next_record;
  Warp& runs = warps_[warp];
  pass_.first = &lanes_[std::size_t{warp} * 32];
  pass_.sites = &sites_[std::size_t{warp} * 32];
  pass_.warp = &runs;
  pass_.left = lanes;
  pass_.at_barrier = pass_.returned = 0;
  Fiber fiber = running_lane().fiber;
  if (fiber == nullptr) fiber = make_ready();
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

// Maps one more stack. For a shallow kernel, whose stacks need no gaps between them, it maps all
// stacks at once if memory suffices: a system call per stack is a good part of the time of a small
// launch.
bool Lanes::map_stacks() {
  const bool all = call_.is_shallow && mapped_stacks_ == 0 && window_.map_stacks(lanes_.size());
  if (!all && !window_.map_stack(mapped_stacks_)) return false;
  const std::uint32_t wanted = all ? static_cast<std::uint32_t>(lanes_.size()) : mapped_stacks_ + 1;
  for (std::uint32_t stack = wanted; stack-- > mapped_stacks_;) free_.push_back(stack);
  mapped_stacks_ = wanted;
  return true;
}

// Makes the running lane start on a stack of its own. If memory for the stack is exhausted, it
// returns the caller of the pass instead, so the pass ends.
Fiber Lanes::make_ready() {
  Lanes& all = *current.lanes;
  if (all.free_.empty() && !all.map_stacks()) {
    all.out_of_memory_ = true;
    return pass_.caller;
  }
  const std::uint32_t stack = running_lane().stack = all.free_.back();
  all.free_.pop_back();
  return make_fiber(all.window_.stack_top(stack), &Lanes::lane_begins);
}

void Lanes::begin() {
  current.wrote = false;
  call_.enter(window_.stack_top(running_lane().stack));
}

void Lanes::lane_begins() { current.lanes->begin(); }

void Lanes::ended() {
  note_place();
  pass_.returned |= pass_.bit();
  Lanes& all = *current.lanes;
  const std::uint32_t stack = running_lane().stack;
  const std::uint32_t left = pass_.left & (pass_.left - 1);
  if (left != 0 && pass_.first[__builtin_ctz(left)].fiber == nullptr) {  // start the next lane here
    pass_.left = left;
    load();
    running_lane().stack = stack;
    all.begin();
  }
  all.free_.push_back(stack);
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

void Lanes::leave() {
  left_ = true;
  running_lane().fiber = nullptr;
  pass_.left = pass_.bit();  // no lane follows
  Fiber nobody;
  switch_away(&nobody);
  __builtin_unreachable();
}

}  // namespace histolab::kernels::emulator
