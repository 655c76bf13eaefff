#include "grader/stream/pace.h"

#include <algorithm>

#include "kernels/live.h"

namespace histolab::grader {
namespace {

constexpr std::uint64_t most = kernels::Live::unlimited - 1;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > most - b ? most : a + b; }

}  // namespace

void Pace::hold_at(std::uint64_t steps) {
  held_ = true;
  hold_at_ = std::min(steps, most);
}

void Pace::step(std::uint64_t steps) { hold_at(sum(held_ ? hold_at_ : 0, std::min(steps, most))); }

void Pace::go(double now_s, std::uint64_t made) {
  held_ = false;
  since_s_ = now_s;
  base_ = std::min(made, most);
}

void Pace::go_at(double steps_per_s, double now_s, std::uint64_t made) {
  steps_per_s_ = steps_per_s;
  go(now_s, made);
}

void Pace::launch_ended() { hold_at_ = base_ = 0, since_s_ = 0; }

std::uint64_t Pace::allowed(double now_s, std::uint64_t made) {
  if (held_) return hold_at_;
  if (steps_per_s_ <= 0) return kernels::Live::unlimited;
  // A launch that falls behind may catch up on this much time at once, not on all of it.
  constexpr double most_owed_s = 0.25;
  constexpr double rounding = 1e-6;
  const double due = std::max(0.0, now_s - since_s_) * steps_per_s_ + rounding;
  const std::uint64_t target = due >= 1e18 ? most : sum(base_, static_cast<std::uint64_t>(due));
  const std::uint64_t owed =
      static_cast<std::uint64_t>(std::min(1e18, steps_per_s_ * most_owed_s)) + 1;
  if (target > sum(made, owed)) {
    since_s_ = now_s;
    base_ = sum(made, owed);
  }
  return std::min(target, sum(made, owed));
}

}  // namespace histolab::grader
