// Overwrites: finds the atomic overwrites of a variable that race with additions to it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/launch/launch_context.h"

namespace histolab::kernels::emulator {

// For one variable. An overwrite does not race if its block has used the result of an atomic
// operation on the variable before: it resets a ticket, releases a lock, or stops a counter at a
// limit. But an overwrite with a value computed from the result of an addition to the variable
// always races: later additions are lost.
class Overwrites {
 public:
  // Notes an atomic operation by the current block. Returns true if it is an overwrite that races
  // with additions.
  [[nodiscard]] bool races(const LaunchContext& context, SiteNumber number) {
    const Site& site = (*context.sites)[number];
    const bool is_common = !site.result_used && site.effect != AtomicEffect::overwrites;
    return !is_common && note(context, number);
  }

 private:
  bool note(const LaunchContext& context, SiteNumber number);

  std::uint32_t asked_in_ = 0;    // block_epoch of the latest block that used a result
  std::vector<SiteNumber> sums_;  // additions whose result the kernel uses
};

}  // namespace histolab::kernels::emulator
