// BlockSequence: the order in which a launch's blocks run, a permutation of their linear indices.
// The warps of a block take turns in such an order, too.
//
// The sequence depends only on the order's name, the seed and the number of blocks. So a launch can
// be repeated.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::emulator {

// CUDA promises no order among the blocks of a grid, nor among the warps of a block. A kernel that
// relies on one is wrong, even if it computes the right result in that order.
class BlockSequence {
 public:
  // `random` shuffles (Fisher-Yates) with `seed`, and needs 4 bytes per block. The others need
  // none.
  BlockSequence(BlockOrder order, std::uint64_t seed, std::uint32_t blocks);

  // Returns the linear index of the block that runs at this position, which is less than `blocks`.
  [[nodiscard]] std::uint32_t at(std::uint32_t position) const {
    if (order_ == BlockOrder::descending) return blocks_ - 1 - position;
    return order_ == BlockOrder::random ? shuffled_[position] : position;
  }

 private:
  BlockOrder order_;
  std::uint32_t blocks_;
  std::vector<std::uint32_t> shuffled_;
};

}  // namespace histolab::kernels::emulator
