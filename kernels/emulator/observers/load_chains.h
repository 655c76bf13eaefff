// LoadChains: the loads that each warp of a block makes one after the other. A block counts the
// warp with the most.
//
// A warp waits for its loads, so a launch takes as long as its longest chain of them, however many
// warps it has. A load from the sector at which the warp's load before began is distinguished from
// one that begins at another: that one may have to wait for DRAM. (A sector is known by the warp's
// first lane.) Bytes that the load before has read cost no wait, because a compiler keeps them in a
// register, unless the warp has written to global memory or met a barrier since, or the load is
// volatile.
//
// Blocks run one after the other here. If they ask an atomic operation in global memory what to do
// next, the first one does everything, which on a GPU all share. So a chain ends where its block
// asks, and the model assumes that the block's warps share its loads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class LoadChains {
 public:
  // At most 32, of a block of 1024 threads.
  explicit LoadChains(std::uint64_t warps_of_block) : warps_of_block_(warps_of_block) {}

  // Returns false if the load is not waited for.
  bool load(const WarpAccess& access);
  void load_local(std::uint32_t warp);  // each is waited for
  // A store or an atomic operation. `asks`: its result is used.
  void write(const WarpAccess& access, bool asks);
  void barrier();
  // The state of a block that waits for the grid.
  struct Block;
  [[nodiscard]] Block suspend_block();
  void resume_block(const Block& block);
  void end_block();
  // Of the blocks that ended.
  [[nodiscard]] const reference::BusiestWarps& busiest() const { return busiest_; }

 private:
  struct Warp {
    reference::WarpLoads of_block, since_asked;
    std::uint64_t asked = 0;  // asked_, when it began to count `since_asked`
    // Its last load from global memory. If it has 0 bytes, the memory that it read may have changed
    // since.
    const Region* region = nullptr;
    std::uint32_t active = 0, bytes = 0, sector = 0;
    alignas(64) std::array<std::uint32_t, 32> offset{};
  };
  static void count(Warp& warp, std::uint64_t reference::WarpLoads::*figure);
  Warp& at_work(std::uint32_t number);
  void end_chain(Warp& warp);

  const std::uint64_t warps_of_block_;
  std::array<Warp, 32> warps_;
  std::uint64_t asked_ = 0;         // how often, by all blocks
  reference::WarpLoads longest_;    // of its chains that ended
  reference::BusiestWarps busiest_;
};

struct LoadChains::Block {
  struct Loads {
    reference::WarpLoads of_block, since_asked;
    bool asked = false;  // its block, since it began to count `since_asked`
  };
  std::vector<Loads> of_warp;
  reference::WarpLoads longest;
};

}  // namespace histolab::kernels::emulator
