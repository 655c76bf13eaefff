// Adversary: the schedule that exposes a race which needs an unlikely order. It selects the lane
// that runs next.
//
// Theory of operation
// -------------------
// Each lane has a rank. Of the lanes that can run, the one of the lowest rank runs, until it has to
// wait. Between two barriers the order is random, warp by warp and lane by lane within a warp, so
// that some warp runs far ahead of the others (the priorities of Burckhardt, Kothari, Musuvathi,
// Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010).
// That paper changes priorities at random moments; here this happens mostly at critical accesses. A
// lane pauses before each access, and is often *delayed* there, until no other lane can continue:
//   - before it writes what it has read: between the two, another lane's update is lost, a check is no longer true;
//   - before an access that conflicts with another lane's since the barrier, and after a write that does: others meet
//     what it is about to change, or has changed by half;
//   - now and then anywhere.
// The last one of the delayed lanes continues first, so that the first one is delayed for as long
// as possible.
//
// A lane that only waits would block the lanes for which it waits. So a lane that comes to the same
// access again, or has had a long turn, moves to the end of the queue, behind the delayed ones too.
//
// Before many an interval one warp is chosen to *sprint*: it runs until all of its lanes wait, even
// if they seem to wait for others. So a loop that only takes time does not act as a barrier. A warp
// that really waits for others sprints in vain. After that there are no more sprints.
//
// A lane cannot be more than a log of accesses (warp_log.h) ahead of its warp's other lanes, unless these wait.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/lanes/current.h"

namespace histolab::kernels::emulator {

class Adversary {
 public:
  Adversary(std::size_t warps, std::uint64_t seed);

  void begin_interval();  // a block begins, or its barrier opened
  // Returns the lane to run now, or Lanes::none if none can run.
  [[nodiscard]] std::uint32_t next_lane(const std::vector<Warp>& warps);
  // The lane that ran is about to make this access. Returns false if it is another one's turn.
  [[nodiscard]] bool goes_on(std::uint32_t lane, const NextAccess& access);
  [[nodiscard]] bool is_sprinting(std::uint32_t warp) const { return warp == sprinter_; }
  // Returns whether the lane has lately read the word that it is about to write.
  [[nodiscard]] bool writes_back(std::uint32_t lane, const NextAccess& access) const;
  [[nodiscard]] bool chance(std::uint32_t in_64) { return next_random_number() % 64 < in_64; }
  // Once after the sprint that was in vain.
  [[nodiscard]] bool has_sprinted_in_vain() { return std::exchange(in_vain_, false); }

 private:
  struct Lane {
    std::uint64_t own_rank = 0;            // when it is not delayed
    bool hesitant = false;                 // is delayed at all
    std::uint32_t turn = 0;                // accesses since it was last at the end of the queue
    std::uint64_t last = 0;                // access: its word, and whether it writes
    std::uint32_t repeats = 0;             // of it
    std::array<std::uint64_t, 8> words{};  // that it has read lately
    std::uint32_t next_word = 0;
    bool left_a_change = false;  // its last access was a write that conflicts
  };
  // The accesses of lanes to a word in this interval.
  struct Touched {
    std::uint64_t word = 0;
    std::uint64_t interval = 0;
    std::uint32_t lane = 0;  // the last one
    bool by_several = false, written = false;
  };

  bool goes_on_sprinting(std::uint32_t lane);
  bool conflicts(std::uint32_t lane, std::uint64_t word, bool writes);
  std::uint64_t next_random_number();

  std::vector<Lane> lanes_;
  std::vector<std::uint64_t> ranks_;  // of the lanes now: next to each other, since all are compared
  std::vector<Touched> touched_;  // by a hash of the word: the last one only
  std::uint64_t random_;
  std::uint64_t interval_ = 0;
  std::uint64_t last_delayed_ = 0, end_of_queue_ = 0;  // ranks
  std::uint32_t sprinter_ = Lanes::none;               // a warp
  bool may_sprint_ = true;                             // until one sprints in vain
  bool in_vain_ = false;
};

}  // namespace histolab::kernels::emulator
