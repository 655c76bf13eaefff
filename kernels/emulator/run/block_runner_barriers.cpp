// BlockRunner: barriers, at which the lanes of a block wait for each other. Lanes at different
// barriers are a divergence.
#include <utility>

#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {

int BlockRunner::barrier(SiteNumber site, Reduction reduction, bool predicate) {
  predicates_[lanes_.running() / 32] |= std::uint32_t{predicate} << lanes_.running() % 32;
  Lanes::wait_at_barrier(site);
  switch (reduction) {
    case Reduction::count: break;
    case Reduction::all: return last_predicates_.true_ones == last_predicates_.lanes;
    case Reduction::any: return last_predicates_.true_ones > 0;
  }
  return last_predicates_.true_ones;
}

void BlockRunner::grid_barrier(SiteNumber site) {
  at_grid_barrier_ = true;
  Lanes::wait_at_barrier(site);
}

// Opens the barrier. Call it when no lane can continue. Returns false if all lanes have returned,
// or the launch has ended.
bool BlockRunner::open_barrier() {
  std::uint32_t at_barrier = Lanes::none, returned = Lanes::none;
  const auto note = [](std::uint32_t& lane, std::uint32_t warp, std::uint32_t bits) {
    if (bits != 0 && lane == Lanes::none)
      lane = warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(bits));
  };
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    note(at_barrier, w, warps_[w].at_barrier);
    note(returned, w, lanes_.existing(w) & ~warps_[w].live());
  }
  if (at_barrier == Lanes::none) return false;
  context_.barrier = lanes_.site(at_barrier);
  for (Observer* observer : context_.observers) observer->on_barrier();
  // After the observers: a finding that they have held back until now may have caused the
  // divergence.
  const bool all_at_one = returned == Lanes::none && lanes_.all_at_one_site();
  if (const std::uint32_t elsewhere = all_at_one ? Lanes::none : waits_elsewhere(at_barrier);
      elsewhere != Lanes::none)
    report_barrier_divergence(at_barrier, elsewhere);
  else if (returned != Lanes::none)
    report_barrier_divergence(at_barrier, returned);
  ++context_.epoch;
  context_.findings->begin_epoch();
  last_predicates_ = {};
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t here = std::exchange(warps_[w].at_barrier, 0);
    last_predicates_.lanes += __builtin_popcount(here);
    last_predicates_.true_ones += __builtin_popcount(std::exchange(predicates_[w], 0));
    if (here != 0) logs_[w].converge(static_cast<std::uint32_t>(__builtin_ctz(here)));
    warps_[w].runnable |= here;
  }
  budget_.count_barrier(at_grid_barrier_ ? steps_of_grid_barrier() : 1);
  grid_barriers_ += at_grid_barrier_;
  stall_watch_.count_progress();
  if (budget_.is_left(at_barrier / 32)) return true;
  if (at_grid_barrier_)
    end_by_grid_barriers(at_barrier);
  else
    end_by_step_limit(at_barrier, context_.line(lanes_.site(at_barrier)), budget_.limit());
  return false;
}

// Returns a lane that waits at another barrier of the source than `first`. Returns Lanes::none if
// all wait at the same one.
std::uint32_t BlockRunner::waits_elsewhere(std::uint32_t first) const {
  const Site& here = (*context_.sites)[lanes_.site(first)];
  for (std::uint32_t w = first / 32; w < warps_.size(); ++w)
    for (std::uint32_t left = warps_[w].at_barrier; left != 0; left &= left - 1) {
      const std::uint32_t lane = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(left));
      if (lanes_.site(lane) != lanes_.site(first) &&
          !same_in_source((*context_.sites)[lanes_.site(lane)], here))
        return lane;
    }
  return Lanes::none;
}

void BlockRunner::report_barrier_divergence(std::uint32_t lane, std::uint32_t other) {
  const bool returned = (warps_[other / 32].live() >> other % 32 & 1) == 0;
  const std::optional<SiteNumber> elsewhere =
      returned ? std::nullopt : std::optional(lanes_.site(other));
  report_barrier_divergence({thread_id(lane), lanes_.site(lane)}, {thread_id(other), elsewhere},
                            at_grid_barrier_);
}

void BlockRunner::report_barrier_divergence(const AtBarrier& waits, const AtBarrier& other,
                                            bool of_grid) {
  Finding finding;
  finding.kind = FindingKind::barrier_divergence;
  finding.line = context_.line(*waits.site);
  finding.other_line = other.site ? context_.line(*other.site) : 0;
  if (finding.line == finding.other_line) {  // in a helper: name the lines of its calls
    const Site &here = (*context_.sites)[*waits.site], &there = (*context_.sites)[*other.site];
    if (const auto [line, other_line] =
            lines_of_parting(*context_.origins, here.origin, there.origin);
        line > 0 && other_line > 0)
      finding.line = line, finding.other_line = other_line;
  }
  finding.thread = waits.thread;
  finding.other_thread = other.thread;
  finding.message = barrier_divergence_message(finding, !other.site, of_grid);
  context_.findings->add(std::move(finding));
}

}  // namespace histolab::kernels::emulator
