// BlockRunner: interleaved blocks, which interrupt each other between two accesses. See
// docs/emulator.md, "Room run", "Interleaved blocks".
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::size_t most_interrupted = 4;        // blocks at a time
constexpr std::uint32_t most_interruptions = 8;    // per block, for interruptions before an access
constexpr std::uint64_t rows_of_a_turn = 256;      // per warp
constexpr std::uint64_t most_bytes = 64ull << 20;  // stacks and shared memory of interrupted blocks
// Chances in 64 that a block is interrupted before such an access.
constexpr std::uint32_t before_write_back = 48, before_write = 4, before_read = 1;

}  // namespace

void BlockRunner::run_interleaved(const std::function<void(std::uint32_t)>& leave_launch) {
  std::uint32_t next = 0;
  while (continues() && (next < blocks() || !interrupted_.empty())) {
    const bool has_waited_long = interrupted_.size() > most_interrupted;
    const bool begins =
        next < blocks() && !has_waited_long && (interrupted_.empty() || adversary_->chance(32));
    not_begun_ = blocks() - next - (begins ? 1 : 0);
    was_interrupted_ = false;
    bool continues = true;
    if (begins) {
      continues = run_block_at(next++);
    } else {
      const bool oldest = has_waited_long || patience_.all_wait() || adversary_->chance(16);
      InterruptedBlock block = std::move(oldest ? interrupted_.front() : interrupted_.back());
      if (oldest)
        interrupted_.pop_front();
      else
        interrupted_.pop_back();
      resume_interrupted(std::move(block));
      continues = run_block();
    }
    if (!continues) leave_launch(next);
  }
}

bool BlockRunner::has_had_its_turn() const {
  return !polled_.is_searching() && !interrupted_.empty() && !patience_.is_over() &&
         patience_.rows_since_resumed() > rows_of_a_turn * warps_.size();
}

// Returns true if all accesses in the lanes' logs look like polling.
bool BlockRunner::only_polls() const {
  const SiteTable& sites = *context_.sites;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].runnable != 0 && !logs_[w].has_memory()) return false;  // no turn so far
    for (std::uint32_t left = warps_[w].runnable; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      for (const std::uint64_t* record = logs_[w].start(lane); record != warps_[w].cursor[lane];
           record += WarpLog::lanes) {
        const Site& site = sites[*record >> 48];
        if (!is_question(site.kind) || site.effect != AtomicEffect::other) return false;
      }
    }
  }
  return true;
}

bool BlockRunner::is_interrupted_before(std::uint32_t lane, const NextAccess& access) {
  if (adversary_->is_sprinting(lane / 32)) return false;  // a sprint is not interrupted
  if (has_had_its_turn()) {
    patience_.end_turn_of_block(only_polls());
    return true;
  }
  if (polled_.is_searching() || interruptions_ == most_interruptions ||
      suspended_bytes_ > most_bytes)
    return false;
  if (interrupted_.empty() && not_begun_ == 0) return false;
  const Region* region = context_.window->find(access.address);
  if (region == nullptr || region->space != Space::global || region->is_read_only()) return false;
  if (!adversary_->chance(adversary_->writes_back(lane, access) ? before_write_back
                          : access.writes                       ? before_write
                                                                : before_read))
    return false;
  ++interruptions_;
  patience_.note_progress();
  return true;
}

void BlockRunner::interrupt_block() {
  for (Observer* observer : context_.observers) observer->on_block_suspend();
  InterruptedBlock& block = interrupted_.emplace_back();
  block.number = context_.block;
  block.lanes = lanes_.suspend_block();
  block.logs = logs_.take();
  block.steps = budget_.steps();
  block.rows = patience_.rows();
  block.predicates = std::exchange(predicates_, std::vector<std::uint32_t>(predicates_.size()));
  block.calls = collectives_.save();
  block.last_predicates = last_predicates_;
  block.reports = current.reports;
  block.shared = shared_memory();
  block.interruptions = interruptions_;
  suspended_bytes_ += block.bytes();
  was_interrupted_ = true;
}

void BlockRunner::resume_interrupted(InterruptedBlock block) {
  suspended_bytes_ -= block.bytes();
  enter(block.number);
  lanes_.resume_block(block.lanes);
  logs_.restore(std::move(block.logs));
  budget_.resume_block(std::move(block.steps));
  patience_.resume_block(std::move(block.rows));
  predicates_ = std::move(block.predicates);
  collectives_.restore(block.calls);
  last_predicates_ = block.last_predicates;
  current.reports = block.reports;
  restore_shared_memory(block.shared);
  interruptions_ = block.interruptions;
  for (Observer* observer : context_.observers) observer->on_block_resume();
}

}  // namespace histolab::kernels::emulator
