#include "kernels/emulator/observers/overwrites.h"

#include <algorithm>

#include "kernels/emulator/value_flow.h"

namespace histolab::kernels::emulator {

bool stores_result_of(const LaunchContext& context, SiteNumber store, SiteNumber from) {
  return context.value_flow && context.value_flow().carries(from, store);
}

bool Overwrites::note(const LaunchContext& context, SiteNumber number) {
  const Site& site = (*context.sites)[number];
  const bool has_asked = asked_in_ == context.block_epoch;
  if (site.result_used) {
    asked_in_ = context.block_epoch;
    if (site.effect == AtomicEffect::adds && std::ranges::find(sums_, number) == sums_.end()) sums_.push_back(number);
  }
  if (site.effect != AtomicEffect::overwrites) return false;
  return !has_asked ||
         std::ranges::any_of(sums_, [&](SiteNumber sum) { return stores_result_of(context, number, sum); });
}

}  // namespace histolab::kernels::emulator
