// FindingLog: the findings of one launch, one per cause (kernels/finding.h, same_cause).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// The harm that a race does. If a race does several kinds of harm, the first one of these counts.
enum class RaceHarm : std::uint8_t {
  lost_update,  // both threads read the element, and one writes a value computed from it
  disorder,     // a write and another access that is not a plain write, in the wrong order
  both_write,   // two plain writes, harmless if both write the same value
};

// Identifies a race: races with the same variable and the same two lines are one cause. The lower
// line comes first.
struct RaceName {
  std::string variable;
  Space space = Space::none;
  int line = 0, other_line = 0;
  friend auto operator<=>(const RaceName&, const RaceName&) = default;
};
[[nodiscard]] RaceName race_name(const Finding& race);

class FindingLog {
 public:
  // Called with each new finding. May be empty.
  std::function<void(const Finding&)> on_new;
  // Adds a finding, or merges it into the known one of the same cause. Returns its number in the
  // log, for the functions below.
  std::size_t add(Finding finding);
  // The same for a race. `decides_barrier`: a read in it decides which barrier a thread reaches
  // next.
  std::size_t add_race(Finding finding, RaceHarm harm, bool decides_barrier = false);
  // Counts `times` more occurrences of finding `number`.
  void again(std::size_t number, std::uint64_t times = 1) { findings_[number].count += times; }
  // Turns finding `number` into a note with this message.
  void soften(std::size_t number, std::string message);

  // Marks finding `number` as one about freed memory: a use of it, or a race with the call that
  // frees it.
  void is_about_freed(std::size_t number) { facts_[number].about_freed = true; }
  // Marks an uninitialized read that decides which barrier a thread reaches next.
  void decides_barrier(std::size_t number) { facts_[number].decides_barrier = true; }

  // An epoch of a block begins, with the block or after a barrier. settle() uses epochs to find the
  // consequences of a divergence.
  void begin_epoch() { epoch_begin_ = findings_.size(); }
  void begin_block() {
    begin_epoch();
    out_of_step_ = false;
  }

  // Drops findings that only follow from another one, and puts the others in causal order. The
  // first one is the one to fix first. Dropped are:
  // - a race with a line of a lost update: the update is reported once;
  // - a use of freed memory at a line that also races with the `free`: the race is reported;
  // - an uninitialized read at a line that also races with the initialization: the race is
  //   reported. In global memory, a lost update is not such a race;
  // - a race or an uninitialized read in shared memory by threads that missed a barrier: the
  //   divergence is reported. A read before the barrier that decides which barrier a thread reaches
  //   is kept: it is the cause of the divergence.
  // The others are ordered by time. Last come, in this order: findings in global memory that a
  // divergence may have caused, two plain writes of a variable that is also in another race, notes.
  void settle();
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  // Returns the races of two plain writes that are still errors. Only the written values show
  // whether they do harm. Call it after settle().
  [[nodiscard]] std::set<RaceName> undecided() const;

 private:
  struct Facts {
    RaceHarm harm = RaceHarm::disorder;
    bool decides_barrier = false;
    bool about_freed = false;
    bool before_divergence = false;  // first seen in the epoch that ended in a divergence
    bool after_divergence = false;   // first seen later in that block
  };
  // Returns true if a divergence may have caused the finding.
  [[nodiscard]] bool is_consequence(std::size_t number) const;
  [[nodiscard]] bool is_dropped_consequence(std::size_t number) const;
  [[nodiscard]] bool explains(std::size_t cause, std::size_t number) const;
  [[nodiscard]] int rank(std::size_t number) const;

  std::vector<Finding> findings_;
  std::vector<Facts> facts_;  // per finding
  std::size_t epoch_begin_ = 0;
  bool out_of_step_ = false;  // threads of this block have missed a barrier
};

}  // namespace histolab::kernels::emulator
