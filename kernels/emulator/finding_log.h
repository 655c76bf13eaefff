// FindingLog: the findings of one launch, one per cause (kernels/finding.h, same_cause).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

class FindingLog {
 public:
  // Called with each finding that is new; empty: nobody wants to know before the end.
  std::function<void(const Finding&)> on_new;
  // Returns the number of the finding, new or known, for `again`.
  std::size_t add(Finding finding);
  // So many more of finding `number`.
  void again(std::size_t number, std::uint64_t times = 1) { findings_[number].count += times; }
  // Finding `number` turns out to be worth a remark only.
  void soften(std::size_t number, std::string message);

  // Finding `number` is about memory that was freed: a use of it, or a race with who frees it.
  void is_about_freed(std::size_t number) { about_freed_.insert(number); }

  // Drops what is only another finding's consequence, and puts what to mend first in front:
  // - a race between a line and the unsynchronized update it is part of is told once, at the update;
  // - a use of freed memory at a line that also races with who frees it is that race;
  // - an uninitialized read at a line that also races with the initialization is the race's consequence;
  // - threads that did not wait at a barrier race in shared memory with those that did: the barrier is the cause.
  void settle();
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
  std::set<std::size_t> about_freed_;  // numbers, until all is settled
};

}  // namespace histolab::kernels::emulator
