// The kind of an atomic operation, for both race observers.
#pragma once

#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/observers/overwrites.h"

namespace histolab::kernels::emulator {

// Kind is an observer's enum, with block_atomic, overwrite, addition and atomic. The operation is
// at site `number`, on a variable in `space` to which `overwrites` belongs.
template <class Kind>
[[nodiscard]] Kind kind_of_atomic(const LaunchContext& context, SiteNumber number, Space space,
                                  Overwrites& overwrites) {
  const Site& site = (*context.sites)[number];
  if (site.scope == Scope::block && space != Space::shared) return Kind::block_atomic;
  if (overwrites.races(context, number)) return Kind::overwrite;
  return site.effect == AtomicEffect::adds ? Kind::addition : Kind::atomic;
}

}  // namespace histolab::kernels::emulator
