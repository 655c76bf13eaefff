// The kind of an atomic operation, for both race observers.
#pragma once

#include <cstdint>

#include "kernels/emulator/site.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// Kind is an observer's enum, with block_atomic, overwrite, addition and atomic. The operation is at
// `site`, on a variable in `space`. `asked_in` belongs to that variable: the `block_epoch` of the latest
// block that used the result of an atomic operation on it.
template <class Kind>
[[nodiscard]] Kind kind_of_atomic(const Site& site, Space space, std::uint32_t block_epoch,
                                  std::uint32_t& asked_in) {
  if (site.scope == Scope::block && space != Space::shared) return Kind::block_atomic;
  const bool has_asked = asked_in == block_epoch;
  if (site.result_used) asked_in = block_epoch;
  if (site.effect == AtomicEffect::overwrites && !has_asked) return Kind::overwrite;
  return site.effect == AtomicEffect::adds ? Kind::addition : Kind::atomic;
}

}  // namespace histolab::kernels::emulator
