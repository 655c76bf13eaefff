#include "kernels/emulator/lanes/block_sequence.h"

#include <numeric>
#include <utility>

#include "reference/splitmix64.h"

namespace histolab::kernels::emulator {

BlockSequence::BlockSequence(BlockOrder order, std::uint64_t seed, std::uint32_t blocks)
    : order_(order), blocks_(blocks) {
  if (order != BlockOrder::random) return;
  shuffled_.resize(blocks);
  std::iota(shuffled_.begin(), shuffled_.end(), 0u);
  // The schedule `random` draws from the same seed. Mixing it keeps the two independent.
  std::uint64_t state = reference::splitmix64_mixed(seed);
  for (std::uint32_t left = blocks; left > 1; --left)
    std::swap(shuffled_[left - 1], shuffled_[reference::next_random(state) % left]);
}

}  // namespace histolab::kernels::emulator
