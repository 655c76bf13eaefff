// GridBarrier: the barrier at which the blocks of a grid wait for each other.
//
// A block that waits is saved, and the next block runs. When every block waits or has ended, the
// barrier opens, and the blocks continue in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/emulator/run/block_barrier.h"
#include "kernels/emulator/run/saved_block.h"

namespace histolab::kernels::emulator {

class GridBarrier {
 public:
  // Most memory of all blocks that wait, in bytes. The largest grid that is resident on an H200 has
  // 270 336 threads. A thread usually needs some hundred bytes.
  static constexpr std::uint64_t most_bytes = 512ull << 20;

  struct Block : SavedBlock {
    Arrival first;                       // the first of its threads
    std::vector<SiteNumber> last_sites;  // per warp
    [[nodiscard]] std::uint64_t bytes() const;
  };

  // A grid barrier takes time for each thread of the grid. If it counted as one step, an endless
  // loop would be found too late.
  [[nodiscard]] static std::uint64_t steps(const LaunchConfig& config);

  // ---- the running block ----
  // A block begins, or continues.
  void enter_block() { block_waits_ = false; }
  // One of its lanes is about to wait at a grid barrier.
  void arrive() { block_waits_ = true; }
  [[nodiscard]] bool block_waits() const { return block_waits_; }
  // Returns how often the block has come to a grid barrier, if it waits at one.
  [[nodiscard]] std::uint64_t arrivals() const { return opened_ + 1; }
  // The block waits until the barrier opens. Returns nullopt, or the finding that ends the launch:
  // the blocks that wait need too much memory.
  [[nodiscard]] std::optional<Finding> add(const LaunchContext& context, Block block);
  void end_block(std::uint32_t number);

  // ---- when every block waits or has ended ----
  [[nodiscard]] bool has_blocks() const { return !blocks_.empty(); }
  // Returns the finding for a block that cannot meet the others, or nullopt.
  [[nodiscard]] std::optional<Finding> divergence(const LaunchContext& context) const;
  // Opens the barrier. Returns the blocks, in the order in which they continue.
  [[nodiscard]] std::vector<Block> open();
  // One of them continues, so its memory is free.
  void continue_block(const Block& block) { bytes_ -= block.bytes(); }

 private:
  std::vector<Block> blocks_;
  std::uint64_t bytes_ = 0;
  std::optional<std::uint32_t> ended_;  // the first block that has ended
  bool block_waits_ = false;
  std::uint64_t opened_ = 0;  // how often the barrier has opened
};

}  // namespace histolab::kernels::emulator
