#include "kernels/emulator/observers/load_chains.h"

#include <algorithm>

#include "reference/addresses.h"

namespace histolab::kernels::emulator {

bool LoadChains::add(const WarpAccess& load) {
  Warp& warp = warps_[load.warp];
  if (load.region->space == Space::shared) return ++warp.shared, true;
  const bool same_region = warp.region == load.region;
  const auto sector = [&](const auto& offset) { return (load.region->askew + offset[0]) / reference::sector_bytes; };
  if (same_region && load.kind != AccessKind::volatile_load && warp.active == load.active && warp.offset == load.offset) return false;
  ++warp.global;
  warp.other_sectors += !same_region || sector(warp.offset) != sector(load.offset);
  warp.region = load.region, warp.active = load.active, warp.offset = load.offset;
  return true;
}

void LoadChains::end_block() {
  const auto most = [&](std::uint64_t Warp::*loads) { return std::ranges::max_element(warps_, {}, loads)->*loads; };
  const reference::WarpLoads block{most(&Warp::global), most(&Warp::other_sectors), most(&Warp::shared)};
  busiest_.add_blocks({block, block});
  warps_.fill({});
}

}  // namespace histolab::kernels::emulator
