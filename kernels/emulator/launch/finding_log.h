// FindingLog: the findings of one launch, one per cause (kernels/finding.h, same_cause).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// How a race does harm. If one race is seen in several ways, the first of these counts.
enum class RaceHarm : std::uint8_t {
  lost_update,  // both threads read the element, and one writes what it computed from that
  disorder,     // an access that is not a plain write against a write, in the wrong order
  both_write,   // two plain writes: harmless if both write the same value
};

// A race, by what makes it one cause: its variable and its two lines, the lower one first.
struct RaceName {
  std::string variable;
  Space space = Space::none;
  int line = 0, other_line = 0;
  friend auto operator<=>(const RaceName&, const RaceName&) = default;
};
[[nodiscard]] RaceName race_name(const Finding& race);

class FindingLog {
 public:
  // Called with each new finding; may be empty.
  std::function<void(const Finding&)> on_new;
  // Returns the number of the finding, new or known, for `again`.
  std::size_t add(Finding finding);
  // A race. If `decides_barrier`, a read in it decides which barrier a thread comes to next.
  std::size_t add_race(Finding finding, RaceHarm harm, bool decides_barrier = false);
  // So many more of finding `number`.
  void again(std::size_t number, std::uint64_t times = 1) { findings_[number].count += times; }
  // Finding `number` turns out to be worth a remark only.
  void soften(std::size_t number, std::string message);

  // Finding `number` is about memory that was freed: a use of it, or a race with who frees it.
  void is_about_freed(std::size_t number) { facts_[number].about_freed = true; }
  // An uninitialized read decides which barrier a thread comes to next.
  void decides_barrier(std::size_t number) { facts_[number].decides_barrier = true; }

  // An epoch of a block begins: the block, or the time after a barrier. Needed to find the consequences of a divergence.
  void begin_epoch() { epoch_begin_ = findings_.size(); }
  void begin_block() { begin_epoch(), out_of_step_ = false; }

  // Drops what is only another finding's consequence, and puts the rest in causal order: the first one is what to fix first.
  // Dropped are:
  // - a race with a line of a lost update, which is reported once, as the update;
  // - a use of freed memory at a line that also races with the one that frees it: it is that race;
  // - an uninitialized read at a line that also races with the initialization: it is that race;
  // - a race or an uninitialized read in shared memory of threads that missed a barrier, which is reported as the barrier
  //   divergence. A read before the barrier that decides which barrier a thread comes to is its cause instead.
  // The others are ordered by time. Behind them come, in this order: what a divergence may have caused in global memory,
  // two plain writes of a variable that is also in another race, notes.
  void settle();
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  // After settling: races of two plain writes. Only the written values show whether they do harm.
  [[nodiscard]] std::set<RaceName> undecided() const;

 private:
  struct Facts {
    RaceHarm harm = RaceHarm::disorder;
    bool decides_barrier = false;
    bool about_freed = false;
    bool before_divergence = false;  // it was first seen in the epoch that ended in a divergence
    bool after_divergence = false;   // it was first seen later in that block
  };
  [[nodiscard]] bool is_consequence(std::size_t number) const;  // of a divergence
  [[nodiscard]] bool is_dropped_consequence(std::size_t number) const;
  [[nodiscard]] bool explains(std::size_t cause, std::size_t number) const;
  [[nodiscard]] int rank(std::size_t number) const;

  std::vector<Finding> findings_;
  std::vector<Facts> facts_;  // of each finding
  std::size_t epoch_begin_ = 0;
  bool out_of_step_ = false;  // threads of this block have missed a barrier
};

}  // namespace histolab::kernels::emulator
