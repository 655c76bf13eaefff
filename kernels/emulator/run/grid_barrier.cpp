#include "kernels/emulator/run/grid_barrier.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/messages/progress_messages.h"

namespace histolab::kernels::emulator {

std::uint64_t GridBarrier::Block::bytes() const {
  return sizeof *this + SavedBlock::bytes() +
         steps.of_warps.size() * sizeof(StepBudget::WarpSteps) +
         last_sites.size() * sizeof(SiteNumber);
}

std::uint64_t GridBarrier::steps(const LaunchConfig& config) {
  constexpr std::uint64_t threads_per_step = 128;
  return 1 + config.grid.count() * config.block.count() / threads_per_step;
}

std::optional<Finding> GridBarrier::add(const LaunchContext& context, Block block) {
  bytes_ += block.bytes();
  blocks_.push_back(std::move(block));
  if (bytes_ <= most_bytes) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::unsupported;
  finding.line = context.line(*blocks_.back().first.site);
  finding.message = too_large_to_suspend_message(blocks_.size(), bytes_, most_bytes);
  return finding;
}

void GridBarrier::end_block(std::uint32_t number) {
  if (!ended_) ended_ = number;
}

std::optional<Finding> GridBarrier::divergence(const LaunchContext& context) const {
  const Arrival& first = blocks_.front().first;
  const Site& here = (*context.sites)[*first.site];
  const auto elsewhere = std::ranges::find_if(blocks_, [&](const Block& block) {
    return !same_in_source((*context.sites)[*block.first.site], here);
  });
  if (elsewhere != blocks_.end()) return divergence_finding(context, first, elsewhere->first, true);
  if (!ended_) return std::nullopt;
  return divergence_finding(context, first, {context.thread_id(*ended_, 0), std::nullopt}, true);
}

std::vector<GridBarrier::Block> GridBarrier::open() {
  ++opened_;
  return std::exchange(blocks_, {});
}

}  // namespace histolab::kernels::emulator
