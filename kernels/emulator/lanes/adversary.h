// Adversary: the schedule that exposes races which need an unlikely order. It selects the lane that
// runs next.
//
// The lane with the lowest rank runs. At critical accesses a lane is often delayed until no other
// lane can continue. See docs/emulator.md, "Room lanes".
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/emulator/lanes/current.h"
#include "kernels/emulator/lanes/lanes.h"

namespace histolab::kernels::emulator {

class Adversary {
 public:
  Adversary(std::size_t warps, std::uint64_t seed);

  // Call it when a block begins, and when its barrier has opened. Draws new ranks and a sprinter.
  void begin_interval();
  // Returns the lane to run now, or Lanes::none if none can run.
  [[nodiscard]] std::uint32_t next_lane(const std::vector<Warp>& warps);
  // Call it when the lane that ran has paused before this access. Returns false if another lane has
  // the next turn.
  [[nodiscard]] bool continues(std::uint32_t lane, const NextAccess& access);
  [[nodiscard]] bool is_sprinting(std::uint32_t warp) const { return warp == sprinter_; }
  // Returns true if the lane is about to write a word that it has read lately.
  [[nodiscard]] bool writes_back(std::uint32_t lane, const NextAccess& access) const;
  // Returns true with a probability of `in_64` / 64.
  [[nodiscard]] bool chance(std::uint32_t in_64) { return next_random_number() % 64 < in_64; }
  // Returns true once after a sprint in vain.
  [[nodiscard]] bool has_sprinted_in_vain() { return std::exchange(in_vain_, false); }

 private:
  struct Lane {
    std::uint64_t own_rank = 0;            // rank while the lane is not delayed.
    bool hesitant = false;                 // the lane may be delayed.
    std::uint32_t turn = 0;                // accesses since it last went to the end of the queue.
    std::uint64_t last = 0;                // last access: word << 1 | writes.
    std::uint32_t repeats = 0;             // repetitions of the last access.
    std::array<std::uint64_t, 8> words{};  // words that it has read lately, a ring buffer.
    std::uint32_t next_word = 0;           // next entry of the ring buffer.
    bool left_a_change = false;            // its last access was a write with a conflict.
  };
  // The lanes' accesses to a word in this interval.
  struct Touched {
    std::uint64_t word = 0;
    std::uint64_t interval = 0;
    std::uint32_t lane = 0;  // the last lane
    bool by_several = false, written = false;
  };

  bool goes_on_sprinting(std::uint32_t lane);
  bool conflicts(std::uint32_t lane, std::uint64_t word, bool writes);
  std::uint64_t next_random_number();

  std::vector<Lane> lanes_;
  std::vector<std::uint64_t> ranks_;  // current rank per lane, contiguous for fast comparison
  std::vector<Touched> touched_;      // hash table by word. A collision replaces the entry.
  std::uint64_t random_;
  std::uint64_t interval_ = 0;
  std::uint64_t last_delayed_ = 0, end_of_queue_ = 0;  // ranks
  std::uint32_t sprinter_ = Lanes::none;               // the warp that sprints
  bool may_sprint_ = true;                             // no sprint has been in vain so far
  bool in_vain_ = false;
};

}  // namespace histolab::kernels::emulator
