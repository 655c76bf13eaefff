// LaneOrder: decides which lanes of a diverged warp go first, and together.
//
// It is the order of a GPU that reconverges as early as possible. See docs/emulator.md, "Room
// lanes".
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/code/control_flow.h"

namespace histolab::kernels::emulator {

class LaneOrder {
 public:
  static constexpr std::uint32_t lanes = 32;
  static constexpr std::uint32_t max_rounds_apart = 1u << 14;

  // Restarts with all lanes at one site, and without any wanted sites.
  void restart(const ControlFlow& flow, std::uint16_t number);

  // The lane wants to pass its current site once more, in the same round.
  void want_again(const ControlFlow& flow, std::uint32_t lane) {
    wanting_ |= 1u << lane;
    if (frame_[lane] == innermost_) key_[lane] = key(flow, lane);
  }

  // The lane wants to reach site number `to`. It must have passed that site before it can want
  // another.
  void want(const ControlFlow& flow, std::uint32_t lane, std::uint16_t to);
  // Returns the lanes that want to reach a site, as bits.
  [[nodiscard]] std::uint32_t wanting() const { return wanting_; }

  // Returns the lanes that go first, as bits. Returns 0 if no lane wants to reach a site. Also
  // returns 0 if a lane of `awaited` has no wanted site yet, because that may come before the
  // others'.
  [[nodiscard]] std::uint32_t first(const ControlFlow& flow, std::uint32_t awaited);

  // These lanes have passed the sites that they wanted to reach.
  void passed(std::uint32_t together) {
    wanting_ &= ~together;
    for (; together != 0; together &= together - 1)
      key_[static_cast<std::uint32_t>(__builtin_ctz(together))] = not_here;
  }

  // The same, and then sets each lane's next wanted site to `next(lane)`. That is a site's number,
  // or ControlFlow::start if it is not known yet. `together`: the last result of first().
  template <class Next>
  void go_on(const ControlFlow& flow, std::uint32_t together, Next&& next);

  // Keeps the numbers of rounds small. Call it before any lane has moved max_rounds_apart times
  // since the last call.
  void rebase(const ControlFlow& flow);

 private:
  // The lanes that are in one loop, or in the kernel as a whole, and have not left it.
  struct Frame {
    std::uint32_t members = 0;
    std::array<std::uint32_t, lanes> round{};  // rounds per lane
    std::uint32_t base = 0;                    // subtracted from rounds, so that they fit into keys
  };
  // A lane's key is its position in the active frame: round, then rank. Lanes that do not continue
  // there come last.
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
  // The active frame, and the last frame that may have lanes.
  std::uint32_t innermost_ = 0, depth_ = 0;
  // Number of the site that the lane wants to reach, or else of its current site.
  std::array<std::uint16_t, lanes> number_{};
  // The innermost frame that the lane has not left.
  std::array<std::uint32_t, lanes> frame_{};
  // The lane's key in the active frame.
  alignas(64) std::array<std::uint32_t, lanes> key_{};
  std::array<Frame, ControlFlow::max_level + 1> frames_{};
};

inline void LaneOrder::want(const ControlFlow& flow, std::uint32_t lane, std::uint16_t to) {
  const ControlFlow::Step step = flow.step(number_[lane], to);
  number_[lane] = to;
  wanting_ |= 1u << lane;
  if (step.level != innermost_ || frame_[lane] != innermost_) [[unlikely]]
    return want_elsewhere(flow, lane, step);
  frames_[innermost_].round[lane] += step.round;
  key_[lane] = key(flow, lane);
}

template <class Next>
inline void LaneOrder::go_on(const ControlFlow& flow, std::uint32_t together, Next&& next) {
  // Local copies: the compiler must assume that a store can change the members.
  Frame& frame = frames_[innermost_];
  const std::uint32_t innermost = innermost_, base = frame.base;
  const std::uint32_t* const ranks = flow.ranks(innermost);
  const ControlFlow::Step* const steps =
      flow.steps(number_[static_cast<std::uint32_t>(__builtin_ctz(together))]);
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
