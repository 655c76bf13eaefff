#include "kernels/emulator/run/interruptions.h"

#include <utility>

namespace histolab::kernels::emulator {
namespace {

// Chances in 64 that a block is interrupted before such an access.
constexpr std::uint32_t before_write_back = 48, before_write = 4, before_read = 1;

}  // namespace

bool Interruptions::begins_block(std::uint32_t not_begun) {
  was_interrupted_ = false;
  not_begun_ = not_begun;
  if (not_begun == 0 || blocks_.size() > most_blocks) return false;
  if (!blocks_.empty() && !adversary_.chance(32)) return false;
  --not_begun_;
  return true;
}

Interruptions::Block Interruptions::take(bool all_wait) {
  const bool oldest = blocks_.size() > most_blocks || all_wait || adversary_.chance(16);
  Block block = std::move(oldest ? blocks_.front() : blocks_.back());
  if (oldest)
    blocks_.pop_front();
  else
    blocks_.pop_back();
  bytes_ -= block.bytes();
  of_block_ = block.interruptions;
  return block;
}

bool Interruptions::turn_is_over(const Patience& patience, std::size_t warps) const {
  return !blocks_.empty() && !patience.is_over() &&
         patience.rows_since_resumed() > rows_of_turn * warps;
}

bool Interruptions::happens_before(std::uint32_t lane, const NextAccess& access) {
  if (of_block_ == most_of_block || bytes_ > most_bytes) return false;
  if (blocks_.empty() && not_begun_ == 0) return false;
  const Region* region = context_.window->find(access.address);
  if (region == nullptr || region->space != Space::global || region->is_read_only()) return false;
  const std::uint32_t before_other = access.writes ? before_write : before_read;
  if (!adversary_.chance(adversary_.writes_back(lane, access) ? before_write_back : before_other))
    return false;
  ++of_block_;
  return true;
}

void Interruptions::add(Block block) {
  block.interruptions = of_block_;
  bytes_ += block.bytes();
  blocks_.push_back(std::move(block));
  was_interrupted_ = true;
}

}  // namespace histolab::kernels::emulator
