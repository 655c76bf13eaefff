#include "kernels/emulator/observers/overwrites.h"

#include <algorithm>

#include "kernels/emulator/code/value_flow.h"

namespace histolab::kernels::emulator {

bool Overwrites::note(const LaunchContext& context, SiteNumber number) {
  const Site& site = (*context.sites)[number];
  const bool has_asked = asked_in_ == context.block_epoch;
  if (site.result_used) {
    asked_in_ = context.block_epoch;
    if (site.effect == AtomicEffect::adds && std::ranges::find(sums_, number) == sums_.end())
      sums_.push_back(number);
  }
  if (site.effect != AtomicEffect::overwrites) return false;
  const auto is_stored = [&](SiteNumber sum) {
    return context.value_flow && context.value_flow().carries(sum, number);
  };
  return !has_asked || std::ranges::any_of(sums_, is_stored);
}

}  // namespace histolab::kernels::emulator
