// LoadChains: the loads that each warp of a block makes one after the other, and of each block the warp with the most.
//
// A warp waits for what it loads, so these are what a launch cannot be faster than, however many other warps it has. What the load before has
// read already is not waited for again: a compiler keeps that in a register, unless it is volatile. A load from the sector that the one before
// began at is told apart from one that goes on to another, which may have to wait for DRAM.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator {

class LoadChains {
 public:
  // Of a load. False: it is not waited for.
  bool add(const WarpAccess& load);
  void end_block();
  // Of the blocks that ended.
  [[nodiscard]] const reference::BusiestWarps& busiest() const { return busiest_; }

 private:
  struct Warp {
    std::uint64_t global = 0, other_sectors = 0, shared = 0;
    // Its last load from global memory.
    const Region* region = nullptr;
    std::uint32_t active = 0;
    alignas(64) std::array<std::uint32_t, 32> offset{};
  };
  std::array<Warp, 32> warps_;
  reference::BusiestWarps busiest_;
};

}  // namespace histolab::kernels::emulator
