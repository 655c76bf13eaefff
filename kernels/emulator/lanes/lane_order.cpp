#include "kernels/emulator/lanes/lane_order.h"

#include <algorithm>

#include "kernels/emulator/arch/lane_vectors.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {
void LaneOrder::restart(const ControlFlow& flow, std::uint16_t number) {
  innermost_ = depth_ = flow.level(number);
  for (std::uint32_t frame = 0; frame <= innermost_; ++frame) frames_[frame] = {~0u, {}, 0};
  wanting_ = 0;
  number_.fill(number);
  frame_.fill(innermost_);
  key_.fill(not_here);
}

// For steps outside of the active frame: the lane leaves it, has been away, or is in a deeper
// frame.
void LaneOrder::want_elsewhere(const ControlFlow& flow, std::uint32_t lane,
                               ControlFlow::Step step) {
  std::uint32_t frame = std::min(frame_[lane], depth_);
  while ((frames_[frame].members >> lane & 1) == 0) --frame;  // all are members of the outermost
  if (frame > innermost_) look_at(flow, frame);
  if (step.level <= frame) {
    frame = step.level;
    frames_[frame].round[lane] += step.round;
  }
  frame_[lane] = frame;
  key_[lane] = frame == innermost_ ? key(flow, lane) : not_here;
}

void LaneOrder::rebase(const ControlFlow& flow) {
  // Lanes are in about the same round. One that was away for very long counts as max_rounds_apart
  // behind.
  for (std::uint32_t f = 0; f <= depth_; ++f) {
    Frame& frame = frames_[f];
    const std::uint32_t most = *std::ranges::max_element(frame.round);
    frame.base = most > max_rounds_apart ? most - max_rounds_apart : 0;
    for (std::uint32_t& round : frame.round) round = std::max(round, frame.base);
  }
  for_each_lane(wanting_, [&](std::uint32_t l) {
    if (frame_[l] == innermost_) key_[l] = key(flow, l);
  });
}

void LaneOrder::enter_loop(const ControlFlow& flow, std::uint32_t members) {
  frames_[++innermost_] = {members, {}, 0};
  depth_ = innermost_;
  key_.fill(not_here);
  for_each_lane(members, [&](std::uint32_t l) {
    frame_[l] = innermost_;
    key_[l] = key(flow, l);
  });
}

void LaneOrder::look_at(const ControlFlow& flow, std::uint32_t frame) {
  innermost_ = frame;
  key_.fill(not_here);
  for_each_lane(frames_[frame].members & wanting_, [&](std::uint32_t l) {
    if (frame_[l] == frame) key_[l] = key(flow, l);
  });
}

std::uint32_t LaneOrder::first(const ControlFlow& flow, std::uint32_t awaited) {
  while ((frames_[innermost_].members & awaited & ~wanting_) == 0) {
    const LowestValue next = lowest_value(key_);
    if (next.value == not_here) {
      if (wanting_ == 0) return 0;
      look_at(flow, innermost_ - 1);  // the lanes want to reach sites outside of the frame
    } else if (flow.level(number_[static_cast<std::uint32_t>(__builtin_ctz(next.lanes))]) >
               innermost_) {
      enter_loop(flow, next.lanes);
    } else {
      return next.lanes;
    }
  }
  return 0;
}

}  // namespace histolab::kernels::emulator
