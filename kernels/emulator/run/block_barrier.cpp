#include "kernels/emulator/run/block_barrier.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/messages/progress_messages.h"

namespace histolab::kernels::emulator {
namespace {

std::uint32_t lowest(std::uint32_t warp, std::uint32_t lanes) {
  return warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(lanes));
}

}  // namespace

Finding divergence_finding(const LaunchContext& context, const Arrival& waits, const Arrival& other,
                           bool of_grid) {
  Finding finding;
  finding.kind = FindingKind::barrier_divergence;
  finding.line = context.line(*waits.site);
  finding.other_line = other.site ? context.line(*other.site) : 0;
  if (other.site &&
      finding.line == finding.other_line) {  // in a helper: name the lines of its calls
    const Site& here = (*context.sites)[*waits.site];
    const Site& there = (*context.sites)[*other.site];
    const auto [line, other_line] = lines_of_parting(*context.origins, here.origin, there.origin);
    if (line > 0 && other_line > 0) {
      finding.line = line;
      finding.other_line = other_line;
    }
  }
  finding.thread = waits.thread;
  finding.other_thread = other.thread;
  finding.message = barrier_divergence_message(finding, !other.site, of_grid);
  return finding;
}

BlockBarrier::BlockBarrier(const LaunchContext& context, Lanes& lanes)
    : context_(context), lanes_(lanes) {
  predicates_.of_waiting.resize(lanes.warps().size());
}

BlockBarrier::Predicates BlockBarrier::take_predicates() {
  Predicates none;
  none.of_waiting.resize(predicates_.of_waiting.size());
  return std::exchange(predicates_, std::move(none));
}

void BlockBarrier::arrive(std::uint32_t lane, bool predicate) {
  predicates_.of_waiting[lane / 32] |= std::uint32_t{predicate} << lane % 32;
}

int BlockBarrier::result(Reduction reduction) const {
  switch (reduction) {
    case Reduction::count: break;
    case Reduction::all: return predicates_.true_ones == predicates_.lanes;
    case Reduction::any: return predicates_.true_ones > 0;
  }
  return predicates_.true_ones;
}

std::uint32_t BlockBarrier::first() const {
  const std::vector<Warp>& warps = std::as_const(lanes_).warps();
  for (std::uint32_t w = 0; w < warps.size(); ++w)
    if (warps[w].at_barrier != 0) return lowest(w, warps[w].at_barrier);
  return Lanes::none;
}

std::uint32_t BlockBarrier::diverging_from(std::uint32_t first) const {
  const std::vector<Warp>& warps = std::as_const(lanes_).warps();
  std::uint32_t returned = Lanes::none;
  for (std::uint32_t w = 0; w < warps.size() && returned == Lanes::none; ++w)
    if (const std::uint32_t gone = lanes_.existing(w) & ~warps[w].live(); gone != 0)
      returned = lowest(w, gone);
  if (returned == Lanes::none && lanes_.all_at_one_site()) return Lanes::none;
  const std::uint32_t elsewhere = waits_elsewhere(first);
  return elsewhere != Lanes::none ? elsewhere : returned;
}

// Returns a lane that waits at another barrier of the source than `first`, or Lanes::none.
std::uint32_t BlockBarrier::waits_elsewhere(std::uint32_t first) const {
  const std::vector<Warp>& warps = std::as_const(lanes_).warps();
  const SiteNumber site = lanes_.site(first);
  for (std::uint32_t w = first / 32; w < warps.size(); ++w)
    for (std::uint32_t left = warps[w].at_barrier; left != 0; left &= left - 1) {
      const std::uint32_t lane = lowest(w, left);
      const SiteNumber other = lanes_.site(lane);
      if (other != site && !same_in_source((*context_.sites)[other], (*context_.sites)[site]))
        return lane;
    }
  return Lanes::none;
}

Arrival BlockBarrier::arrival(std::uint32_t lane) const {
  Arrival arrival{context_.thread_id(lane), std::nullopt};
  if (!has_returned(lane)) arrival.site = lanes_.site(lane);
  return arrival;
}

void BlockBarrier::open() {
  predicates_.lanes = predicates_.true_ones = 0;
  for (std::uint32_t w = 0; w < lanes_.warps().size(); ++w) {
    Warp& warp = lanes_.warps()[w];
    const std::uint32_t here = std::exchange(warp.at_barrier, 0);
    predicates_.lanes += __builtin_popcount(here);
    predicates_.true_ones += __builtin_popcount(std::exchange(predicates_.of_waiting[w], 0));
    warp.runnable |= here;
  }
}

}  // namespace histolab::kernels::emulator
