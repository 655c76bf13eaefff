// Interruptions: the order of interleaved blocks. It decides when the running block is interrupted
// between two accesses, and which block runs next. See docs/emulator.md, "Interleaved blocks".
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/emulator/lanes/adversary.h"
#include "kernels/emulator/lanes/warp_collectives.h"
#include "kernels/emulator/lanes/warp_log.h"
#include "kernels/emulator/run/block_barrier.h"
#include "kernels/emulator/run/saved_block.h"

namespace histolab::kernels::emulator {

class Interruptions {
 public:
  static constexpr std::size_t most_blocks = 4;       // interrupted blocks at a time
  static constexpr std::uint32_t most_of_block = 8;   // of interruptions before an access
  static constexpr std::uint64_t rows_of_turn = 256;  // per warp
  // Most memory of interrupted blocks, in bytes.
  static constexpr std::uint64_t most_bytes = 64ull << 20;

  struct Block : SavedBlock {
    std::vector<WarpLog> logs;
    BlockBarrier::Predicates predicates;
    WarpCollectives::Calls calls;
    Current::Reports reports;
    std::uint32_t interruptions = 0;
  };

  // `context` and `adversary` must outlive it.
  Interruptions(const LaunchContext& context, Adversary& adversary)
      : context_(context), adversary_(adversary) {}

  // ---- the block that runs next ----
  // Returns true if a new block begins. If false, take() returns the block that continues. There
  // must be a block of either kind. `not_begun`: the number of blocks that have not begun.
  [[nodiscard]] bool begins_block(std::uint32_t not_begun);
  // Returns the block that continues. `all_wait`: all blocks only wait for others.
  [[nodiscard]] Block take(bool all_wait);
  [[nodiscard]] bool has_blocks() const { return !blocks_.empty(); }

  // ---- the running block ----
  void begin_block() { of_block_ = 0; }
  // Returns true if the block has had a long turn, and others wait.
  [[nodiscard]] bool turn_is_over(const Patience& patience, std::size_t warps) const;
  // Returns true if the block is interrupted before this access of a lane, by chance. Then it
  // counts an interruption.
  [[nodiscard]] bool happens_before(std::uint32_t lane, const NextAccess& access);
  // The running block is interrupted.
  void add(Block block);
  // Returns true if the running block was interrupted since the last call of begins_block().
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

 private:
  const LaunchContext& context_;
  Adversary& adversary_;
  std::deque<Block> blocks_;  // in the order of their interruptions
  std::uint64_t bytes_ = 0;
  std::uint32_t not_begun_ = 0;  // number of blocks that have not begun
  std::uint32_t of_block_ = 0;   // interruptions of the running block
  bool was_interrupted_ = false;
};

}  // namespace histolab::kernels::emulator
