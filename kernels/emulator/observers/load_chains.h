// LoadChains: counts the loads that each warp of a block makes one after the other. The warp with
// the most loads counts for its block. See docs/emulator.md, "Room observers".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class LoadChains {
 public:
  // `warps_of_block`: at most 32.
  explicit LoadChains(std::uint64_t warps_of_block) : warps_of_block_(warps_of_block) {}

  // Counts a load. Returns false if the warp does not wait for it.
  bool load(const WarpAccess& access);
  // Counts a load from local memory. The warp always waits for it.
  void load_local(std::uint32_t warp);
  // Call it for a store or an atomic operation. `asks`: its result may decide what the block does
  // next.
  void write(const WarpAccess& access, bool asks);
  void barrier();
  // The state of a block that waits for the grid.
  struct Block;
  [[nodiscard]] Block suspend_block();
  void resume_block(const Block& block);
  void end_block();
  // The results of all blocks that have ended.
  [[nodiscard]] const reference::BusiestWarps& busiest() const { return busiest_; }

 private:
  struct Warp {
    reference::WarpLoads of_block, since_asked;
    std::uint64_t asked = 0;  // value of asked_ when it began to count `since_asked`
    // Its last load from global memory. 0 bytes if that memory may have changed since.
    const Region* region = nullptr;
    // mutant 0 -> 1, 0 -> 1 #2, 0 -> 1 #3: it belongs to no region, so none of it is used
    std::uint32_t active = 0, bytes = 0, sector = 0;
    alignas(64) std::array<std::uint32_t, 32> offset{};
  };
  static void count(Warp& warp, std::uint64_t reference::WarpLoads::*figure);
  Warp& at_work(std::uint32_t number);
  void end_chain(Warp& warp);

  const std::uint64_t warps_of_block_;
  // mutant 32 -> 33: a block has at most 32 warps, so the 33rd never loads
  std::array<Warp, 32> warps_;
  // mutant 0 -> 1: at its first load in a block, a warp then ends an empty chain
  std::uint64_t asked_ = 0;       // how often, by all blocks
  reference::WarpLoads longest_;  // longest chain of the block that ended
  reference::BusiestWarps busiest_;
};

struct LoadChains::Block {
  struct Loads {
    reference::WarpLoads of_block, since_asked;
    bool asked = false;  // the block has asked since the warp began to count `since_asked`
  };
  std::vector<Loads> of_warp;
  reference::WarpLoads longest;
};

}  // namespace histolab::kernels::emulator
