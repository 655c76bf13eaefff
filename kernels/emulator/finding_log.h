// FindingLog: the findings of one launch, one per cause.
//
// Two reports are the same cause when kind, variable and both lines agree. The first one's threads and message are kept;
// later ones are counted. `settle()` then drops what is only another finding's consequence.
#pragma once

#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

class FindingLog {
 public:
  // Returns the number of the finding, new or known, for `again`.
  std::size_t add(Finding finding);
  // One more of finding `number`.
  void again(std::size_t number) { ++findings_[number].count; }
  [[nodiscard]] bool has_error() const;

  // - a race between a line and the unsynchronized update it is part of is told once, at the update;
  // - an uninitialized read at a line that also races with the initialization is the race's consequence.
  void settle();
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

}  // namespace histolab::kernels::emulator
