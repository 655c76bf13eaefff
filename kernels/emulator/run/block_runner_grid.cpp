// BlockRunner: grid barriers, at which the blocks of a grid wait for each other.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

// Most memory of all suspended blocks. The largest grid that is resident on an H200 has 270 336
// threads. A thread usually needs some hundred bytes.
constexpr std::uint64_t most_suspended_bytes = 512ull << 20;

}  // namespace

std::vector<std::uint8_t> BlockRunner::shared_memory() const {
  std::vector<std::uint8_t> bytes;
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared)
      bytes.insert(bytes.end(), region.begin, region.begin + region.size);
  return bytes;
}

void BlockRunner::restore_shared_memory(std::span<const std::uint8_t> saved) {
  for (const Region& region : context_.window->regions()) {
    if (region.space != Space::shared) continue;
    std::ranges::copy(saved.first(region.size), region.begin);
    saved = saved.subspan(region.size);
  }
}

std::uint64_t BlockRunner::SuspendedBlock::bytes() const {
  return sizeof *this + lanes.bytes() + steps.of_warps.size() * sizeof(StepBudget::WarpSteps) +
         last_sites.size() * sizeof(SiteNumber) + shared.size();
}

// Suspends the running block. Its barrier must have opened, and everything in its logs must be
// judged. Returns false if the launch has ended.
bool BlockRunner::suspend_block() {
  for (Observer* observer : context_.observers) observer->on_block_suspend();
  SuspendedBlock& block = suspended_.emplace_back();
  block.number = context_.block;
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    block.last_sites.push_back(logs_[w].last_site(0));
  const auto warp = static_cast<std::uint32_t>(
      std::ranges::find_if(warps_, [](const Warp& w) { return w.runnable != 0; }) - warps_.begin());
  const std::uint32_t lane =
      warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(warps_[warp].runnable));
  block.first = {thread_id(lane), lanes_.site(lane)};
  block.lanes = lanes_.suspend_block();
  block.steps = budget_.steps();
  block.rows = patience_.rows();
  block.grid_barriers = grid_barriers_;
  block.shared = shared_memory();
  suspended_bytes_ += block.bytes();
  if (suspended_bytes_ <= most_suspended_bytes) return true;
  Finding finding;
  finding.kind = FindingKind::unsupported;
  finding.line = context_.line(*block.first.site);
  finding.message =
      too_large_to_suspend_message(suspended_.size(), suspended_bytes_, most_suspended_bytes);
  context_.findings->add(std::move(finding));
  ending_.stop("no room for all blocks of the grid");
  return false;
}

void BlockRunner::resume_block(SuspendedBlock block) {
  suspended_bytes_ -= block.bytes();
  enter(block.number);
  lanes_.resume_block(block.lanes);
  for (std::uint32_t w = 0; w < logs_.size(); ++w) logs_[w].begin(w, block.last_sites[w]);
  budget_.resume_block(std::move(block.steps));
  patience_.resume_block(std::move(block.rows));
  grid_barriers_ = block.grid_barriers;
  restore_shared_memory(block.shared);
  for (Observer* observer : context_.observers) observer->on_block_resume();
}

void BlockRunner::end_by_grid_barriers(std::uint32_t lane) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = context_.line(lanes_.site(lane));
  finding.thread = thread_id(lane);
  finding.message = too_many_grid_barriers_message(finding, grid_barriers_);
  context_.findings->add(std::move(finding));
  ending_.stop("step limit");
}

// Opens the grid barrier, and checks that all blocks wait at it. Call it when every block waits or
// has ended.
void BlockRunner::open_grid_barrier() {
  const AtBarrier& first = suspended_.front().first;
  const Site& here = (*context_.sites)[*first.site];
  const auto elsewhere = std::ranges::find_if(suspended_, [&](const SuspendedBlock& block) {
    return !same_in_source((*context_.sites)[*block.first.site], here);
  });
  if (elsewhere != suspended_.end())
    report_barrier_divergence(first, elsewhere->first, true);
  else if (ended_block_)
    report_barrier_divergence(first, {context_.thread_id(*ended_block_, 0), std::nullopt}, true);
  for (Observer* observer : context_.observers) observer->on_grid_barrier();
  stall_watch_.count_progress();
}

}  // namespace histolab::kernels::emulator
