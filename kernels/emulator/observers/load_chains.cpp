#include "kernels/emulator/observers/load_chains.h"

#include <algorithm>

#include "kernels/emulator/observers/access_cost.h"

namespace histolab::kernels::emulator {

using reference::WarpLoads;

void LoadChains::end_chain(Warp& warp) {
  for (const auto figure : reference::warp_load_figures)
    longest_.*figure = std::max(longest_.*figure, warp.since_asked.*figure);
  warp.since_asked = {};
  warp.asked = asked_;
}

void LoadChains::count(Warp& warp, std::uint64_t WarpLoads::*figure) {
  ++(warp.of_block.*figure);
  ++(warp.since_asked.*figure);
}

LoadChains::Warp& LoadChains::at_work(std::uint32_t number) {
  Warp& warp = warps_[number];
  if (warp.asked != asked_) end_chain(warp);
  return warp;
}

void LoadChains::load_local(std::uint32_t warp) { count(at_work(warp), &WarpLoads::local); }

bool LoadChains::load(const WarpAccess& access) {
  Warp& warp = at_work(access.warp);
  if (access.region->space == Space::shared) {
    count(warp, &WarpLoads::shared);
    return true;
  }
  if (warp.region == access.region && access.kind != AccessKind::volatile_load &&
      warp.active == access.active && access.bytes <= warp.bytes && warp.offset == access.offset)
    return false;
  const auto sector = (access.region->askew + access.offset[0]) >> sector_shift;
  count(warp, &WarpLoads::global);
  if (warp.region != access.region || warp.sector != sector) count(warp, &WarpLoads::other_sectors);
  warp.region = access.region;
  warp.active = access.active;
  warp.bytes = access.bytes;
  warp.offset = access.offset;
  warp.sector = sector;
  return true;
}

void LoadChains::write(const WarpAccess& access, bool asks) {
  if (access.region->space == Space::shared) return;
  warps_[access.warp].bytes = 0;
  asked_ += asks;
}

void LoadChains::barrier() {
  for (Warp& warp : warps_) warp.bytes = 0;
}

// Comes after a barrier, so the warps' last loads are not needed.
LoadChains::Block LoadChains::suspend_block() {
  Block block;
  for (std::size_t w = 0; w < warps_of_block_; ++w)
    block.of_warp.push_back({warps_[w].of_block, warps_[w].since_asked, warps_[w].asked != asked_});
  block.longest = longest_;
  warps_.fill({});
  longest_ = {};
  return block;
}

void LoadChains::resume_block(const Block& block) {
  ++asked_;  // so that 0 is not the current number
  for (std::size_t w = 0; w < block.of_warp.size(); ++w) {
    const Block::Loads& loads = block.of_warp[w];
    warps_[w].of_block = loads.of_block;
    warps_[w].since_asked = loads.since_asked;
    warps_[w].asked = loads.asked ? 0 : asked_;
  }
  longest_ = block.longest;
}

void LoadChains::end_block() {
  WarpLoads block, sum;
  for (std::size_t w = 0; w < warps_of_block_; ++w) {
    Warp& warp = warps_[w];
    for (const auto figure : reference::warp_load_figures) sum.*figure += warp.of_block.*figure;
    end_chain(warp);
    warp.of_block = {};
    warp.region = nullptr;  // no load is the same as the last one then, so `offset` may stay
    warp.bytes = 0;
  }
  // If the block never asks, the longest chain is all loads of the warp with the most loads.
  for (const auto figure : reference::warp_load_figures)
    block.*figure = std::max(longest_.*figure, sum.*figure / warps_of_block_);
  busiest_.add_blocks({block, longest_});
  longest_ = {};
}

}  // namespace histolab::kernels::emulator
