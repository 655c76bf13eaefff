// Overwrites: tells an atomic overwrite that races with additions to its variable from one by which threads learn of each other.
//
// The latter is an overwrite in a block that has used the result of an atomic operation on the variable before: it resets a
// ticket, releases a lock, or stops a counter at a limit. An overwrite with a sum, computed from what an addition to the
// variable returned, always races: additions since then are lost.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/launch_context.h"

namespace histolab::kernels::emulator {

// Of one variable.
class Overwrites {
 public:
  // Notes an atomic operation by the current block. Returns whether it is an overwrite that races with additions.
  [[nodiscard]] bool races(const LaunchContext& context, SiteNumber number) {
    const Site& site = (*context.sites)[number];
    const bool is_common = !site.result_used && site.effect != AtomicEffect::overwrites;
    return !is_common && note(context, number);
  }

 private:
  bool note(const LaunchContext& context, SiteNumber number);

  std::uint32_t asked_in_ = 0;    // epoch with which the latest block began that used the result of an operation here
  std::vector<SiteNumber> sums_;  // additions whose result the kernel uses
};

// Does the kernel compute what the atomic operation `store` stores from what the atomic operation `from` returned?
[[nodiscard]] bool stores_result_of(const LaunchContext& context, SiteNumber store, SiteNumber from);

}  // namespace histolab::kernels::emulator
