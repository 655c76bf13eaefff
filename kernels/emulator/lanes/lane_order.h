// LaneOrder: decides which lanes of a diverged warp go first, and together.
//
// Each lane is at some site, or wants to get to one. Lanes that want to get to the same site in the
// same round of every loop around it go together. The order is the one in which a GPU that
// reconverges as early as possible would run them: within a loop those in the earliest round go
// first, and of them those whose site comes first (control_flow.h). A lane that has left a loop
// waits until the others have, too. So there is a frame for each loop that lanes are in together,
// the innermost one last, and only its members are considered until all of them have left. Lanes
// that wait elsewhere (for a shuffle, say) do not block the others: these continue outside, and the
// frame becomes active again when one of its lanes continues.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/code/control_flow.h"

namespace histolab::kernels::emulator {

class LaneOrder {
 public:
  static constexpr std::uint32_t lanes = 32;
  static constexpr std::uint32_t max_rounds_apart = 1u << 14;

  // All lanes are at one site, and none wants to go anywhere yet.
  void restart(const ControlFlow& flow, std::uint16_t number);

  // The lane wants to get to the site where it is, in the same round.
  void want_again(const ControlFlow& flow, std::uint32_t lane) {
    wanting_ |= 1u << lane;
    if (frame_[lane] == innermost_) key_[lane] = key(flow, lane);
  }

  // The lane wants to get to a site. It has to be passed on from there before it can want to get elsewhere.
  void want(const ControlFlow& flow, std::uint32_t lane, std::uint16_t to);
  [[nodiscard]] std::uint32_t wanting() const { return wanting_; }  // as bits

  // Returns the lanes that go first. 0 if none wants to, or if one of `awaited`, which may yet come
  // before the others, does not want to yet.
  [[nodiscard]] std::uint32_t first(const ControlFlow& flow, std::uint32_t awaited);

  // These have gone: each is where it wanted to get to.
  void passed(std::uint32_t together) {
    wanting_ &= ~together;
    for (; together != 0; together &= together - 1) key_[static_cast<std::uint32_t>(__builtin_ctz(together))] = not_here;
  }

  // The same, and then gets each lane's next site from `next(lane)`: a site's number, or
  // ControlFlow::start for nowhere yet. `together`: the last result of first().
  template <class Next>
  void go_on(const ControlFlow& flow, std::uint32_t together, Next&& next);

  // Keeps the numbers small. Call it before any lane has moved max_rounds_apart times since the
  // last call.
  void rebase(const ControlFlow& flow);

 private:
  // The lanes that are in one loop, or in the kernel as a whole, and have not left it.
  struct Frame {
    std::uint32_t members = 0;
    std::array<std::uint32_t, lanes> round{};  // of each: how often it went round
    std::uint32_t base = 0;                    // rounds from here on fit into keys
  };
  // A lane's position in the innermost frame: round, then rank. Lanes that do not continue there
  // come last.
  static constexpr std::uint32_t not_here = ~0u;
  static constexpr std::uint32_t rank_bits = 17;

  void enter_loop(const ControlFlow& flow, std::uint32_t members);
  void look_at(const ControlFlow& flow, std::uint32_t frame);
  void want_elsewhere(const ControlFlow& flow, std::uint32_t lane, ControlFlow::Step step);
  [[nodiscard]] std::uint32_t key(const ControlFlow& flow, std::uint32_t lane) const {
    const Frame& frame = frames_[innermost_];
    return (frame.round[lane] - frame.base) << rank_bits | flow.rank(number_[lane], innermost_);
  }

  std::uint32_t wanting_ = 0;
  std::uint32_t innermost_ = 0, depth_ = 0;  // frame that is looked at; the last one that lanes may be in
  // Of each lane:
  std::array<std::uint16_t, lanes> number_{};           // of the site that it wants to get to, else is at
  std::array<std::uint32_t, lanes> frame_{};            // the innermost one that it has not left
  alignas(64) std::array<std::uint32_t, lanes> key_{};  // in the innermost frame of all
  std::array<Frame, ControlFlow::max_level + 1> frames_{};
};

inline void LaneOrder::want(const ControlFlow& flow, std::uint32_t lane, std::uint16_t to) {
  const ControlFlow::Step step = flow.step(number_[lane], to);
  number_[lane] = to;
  wanting_ |= 1u << lane;
  if (step.level != innermost_ || frame_[lane] != innermost_) [[unlikely]] return want_elsewhere(flow, lane, step);
  frames_[innermost_].round[lane] += step.round;
  key_[lane] = key(flow, lane);
}

template <class Next>
inline void LaneOrder::go_on(const ControlFlow& flow, std::uint32_t together, Next&& next) {
  // In local variables: for all that the compiler knows, a store could change the members.
  Frame& frame = frames_[innermost_];
  const std::uint32_t innermost = innermost_, base = frame.base;
  const std::uint32_t* const ranks = flow.ranks(innermost);
  const ControlFlow::Step* const steps = flow.steps(number_[static_cast<std::uint32_t>(__builtin_ctz(together))]);
  std::uint32_t wanting = wanting_;
  for (; together != 0; together &= together - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(together));
    const std::uint16_t to = next(lane);
    if (to == ControlFlow::start) [[unlikely]] {
      wanting &= ~(1u << lane);
      key_[lane] = not_here;
      continue;
    }
    const ControlFlow::Step step = steps[to];
    number_[lane] = to;
    if (step.level != innermost) [[unlikely]] {
      want_elsewhere(flow, lane, step);
      continue;
    }
    const std::uint32_t round = frame.round[lane] + step.round;
    frame.round[lane] = round;
    key_[lane] = (round - base) << rank_bits | ranks[to];
  }
  wanting_ = wanting;
}

}  // namespace histolab::kernels::emulator
