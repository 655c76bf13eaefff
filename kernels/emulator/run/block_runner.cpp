#include "kernels/emulator/run/block_runner.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/launch/live_launch.h"
#include "reference/splitmix64.h"

namespace histolab::kernels::emulator {
namespace {

// Returns the number of the k-th set bit of `mask`, from 0.
std::uint32_t nth_lane(std::uint32_t mask, std::uint32_t k) {
  while (k-- > 0) mask &= mask - 1;
  return static_cast<std::uint32_t>(__builtin_ctz(mask));
}

std::vector<Uint3> thread_indices(const LaunchContext& context) {
  std::vector<Uint3> indices;
  for (std::uint32_t lane = 0; lane < context.config.block.count(); ++lane) {
    const Dim3 place = context.thread_id(lane).thread;
    indices.push_back({place.x, place.y, place.z});
  }
  return indices;
}

}  // namespace

BlockRunner::BlockRunner(LaunchContext& context, const Options& options, const KernelCall& call)
    : context_(context),
      options_(options),
      lanes_(*context.window, thread_indices(context), call),
      warps_(lanes_.warps()),
      budget_(options.steps_per_thread, warps_.size()),
      patience_(options.steps_per_thread, warps_.size()),
      poll_watch_(context, warps_),
      polled_(context),
      logs_(warps_.size()),
      collectives_(context, warps_, lanes_),
      sequence_(options.block_order, options.seed,
                static_cast<std::uint32_t>(context.config.grid.count())),
      warp_order_(options.block_order, options.seed, static_cast<std::uint32_t>(warps_.size())),
      kernel_line_(context.line_of_instruction(reinterpret_cast<std::uint64_t>(call.entry))),
      stall_watch_(kernel_line_) {
  predicates_.resize(warps_.size());
  random_ = options.seed;
  if (options.schedule == Schedule::adversarial) adversary_.emplace(warps_.size(), options.seed);
  context.stack_of = [this](std::uint32_t lane) { return lanes_.stack_of(lane); };
}

BlockRunner::~BlockRunner() = default;

LaunchEnd BlockRunner::run() {
  const Dim3 &grid = context_.config.grid, &block = context_.config.block;
  current = {};
  current.window_begin = context_.window->begin();
  current.window_size = context_.window->size();
  current.runner = this;
  current.lanes = &lanes_;
  current.sites = context_.sites;
  current.stepping = options_.schedule != Schedule::run_to_barrier;
  current.announces = adversary_.has_value();
  current.shows = context_.shows;
  current.debugged = context_.debugged;
  current.cooperative = context_.cooperative;
  current.slow = current.announces || current.shows || current.debugged || !current.stepping;
  if (context_.debugged) show_to_debugger();
  set_shape({grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
  const auto leave_launch = [&](std::uint32_t next_position) {
    if (const auto& stall = stall_watch_.stall()) end_by_step_limit(stall->lane, stall->line, 0);
    judge_what_is_left();
    if (ending_.stuck) report_stuck(next_position);
  };
  interleaved_ =
      adversary_ && options_.block_order == BlockOrder::interleaved && !context_.cooperative;
  if (interleaved_) {
    run_interleaved(leave_launch);
  } else {
    for (std::uint32_t position = 0; position < blocks() && continues(); ++position)
      if (!run_block_at(position)) leave_launch(position + 1);
  }
  while (!suspended_.empty() && continues()) {
    open_grid_barrier();
    for (SuspendedBlock& each : std::exchange(suspended_, {})) {
      if (!continues()) break;
      resume_block(std::move(each));
      if (!run_block()) leave_launch(blocks());
    }
  }
  current = {};
  if (context_.debugged) histolab_debug_view.lanes = 0;
  return {rows_, ending_.ending(), ending_.detail()};
}

bool BlockRunner::run_block_at(std::uint32_t position) {
  return begin_block(sequence_.at(position)) && run_block();
}

void BlockRunner::enter(std::uint32_t block) {
  const Dim3 place = context_.thread_id(block, 0).block;
  set_block_index({place.x, place.y, place.z});
  context_.block = block;
  // The warps' order depends only on the seed and the block's number.
  if (options_.block_order == BlockOrder::random)
    warp_order_ = {BlockOrder::random, options_.seed + block + 1,
                   static_cast<std::uint32_t>(warps_.size())};
  context_.block_epoch = ++context_.epoch;
  context_.findings->begin_block();
  stall_watch_.count_progress();
  at_grid_barrier_ = false;
  poll_watch_.forget();
}

bool BlockRunner::begin_block(std::uint32_t block) {
  enter(block);
  for (Observer* observer : context_.observers) observer->on_block_begin();
  lanes_.begin_block();
  logs_.begin_block();
  budget_.begin_block();
  patience_.begin_block();
  grid_barriers_ = 0;
  interruptions_ = 0;
  polled_.forget();
  // A kernel must not rely on the previous contents of shared memory.
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared) std::memset(region.begin, 0xcd, region.size);
  return !context_.debugged || enter_block();
}

bool BlockRunner::run_block() {
  for (;;) {
    bool progress = false;
    if (options_.schedule == Schedule::random) {
      if (!run_random()) return false;
    } else if (adversary_) {
      if (!run_adversarial()) return false;
      if (was_interrupted_) return true;
    } else {
      for (std::uint32_t turn = 0; turn < logs_.size(); ++turn) {
        const std::uint32_t w = warp_order_.at(turn);
        if (warps_[w].runnable == 0) continue;
        progress = true;
        if (!run_warp(w)) return false;
      }
      if (progress) continue;
    }
    if (!open_barrier()) break;
    if (at_grid_barrier_) return suspend_block();
  }
  if (ending_.has_come()) return false;
  if (!ended_block_) ended_block_ = context_.block;
  patience_.end_block();
  for (Observer* observer : context_.observers) observer->on_block_end();
  if (context_.live != nullptr) context_.live->end_block();
  return true;
}

void BlockRunner::show_to_debugger() const {
  DebugView& view = histolab_debug_view;
  const Dim3 &grid = context_.config.grid, &block = context_.config.block;
  std::ranges::copy(std::array<std::uint64_t, 3>{grid.x, grid.y, grid.z}, view.grid);
  std::ranges::copy(std::array<std::uint64_t, 3>{block.x, block.y, block.z}, view.block);
  view.running_block = reinterpret_cast<std::uint64_t>(&context_.block);
  const auto address_of = [](std::string_view variable) {
    return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer()) +
           static_cast<std::uint64_t>(*built_in_variable(variable));
  };
  view.thread_index = address_of("histolab_threadIdx"),
  view.block_index = address_of("histolab_blockIdx");
  view.block_dim = address_of("histolab_blockDim"), view.grid_dim = address_of("histolab_gridDim");
  lanes_.show_to_debugger();
}

// For a debugger: runs each thread to its first line, then shows the block.
bool BlockRunner::enter_block() {
  current.entering = true;
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (!run_lanes(w, warps_[w].runnable)) return false;
  current.entering = false;
  histolab_debug_view.entry_site = lanes_.site(0), histolab_debug_view.exit_site = ~0ull;
  histolab_debug_event(DebugEvent::block_begins);
  return true;
}

bool BlockRunner::run_warp(std::uint32_t warp) {
  patience_.begin_turn();
  logs_.begin_turn(warp, warps_[warp]);
  while (patience_.turn_lasts() && warps_[warp].runnable != 0) {
    const std::uint32_t lanes = warps_[warp].with_room();
    if (!run_lanes(warp, lanes)) return false;
    const bool all_wait = warps_[warp].runnable == 0;
    // In a stepping schedule a pass is short, so rows are judged only when a log is full.
    if (current.stepping && !all_wait && warps_[warp].full == 0 && !context_.debugged) continue;
    const bool others_first = poll_watch_.must_yield(warp, logs_[warp]);
    if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
    if (others_first) break;
  }
  logs_.end_turn(warp, warps_[warp]);
  return true;
}

// Runs single lanes, chosen by the generator, until no lane of the block can continue. Returns
// false if the launch has ended.
bool BlockRunner::run_random() {
  for (;;) {
    std::vector<std::uint32_t> warps;
    for (std::uint32_t w = 0; w < logs_.size(); ++w)
      if (warps_[w].runnable != 0) warps.push_back(w);
    if (warps.empty()) return true;
    const std::uint32_t warp = warps[reference::next_random(random_) % warps.size()];
    logs_.begin_turn(warp, warps_[warp]);
    // The chosen warp makes several steps. That is faster, and every order of two accesses is still
    // possible.
    for (std::uint64_t steps = 1 + reference::next_random(random_) % 64;
         (steps-- > 0 || patience_.is_over()) && warps_[warp].runnable != 0;) {
      const std::uint32_t lanes = warps_[warp].with_room();
      const auto choice = static_cast<std::uint32_t>(
          reference::next_random(random_) % static_cast<std::uint32_t>(__builtin_popcount(lanes)));
      if (!run_lanes(warp, 1u << nth_lane(lanes, choice))) return false;
      const bool all_wait = warps_[warp].runnable == 0;
      if (!all_wait && warps_[warp].with_room() != 0) continue;
      const bool others_first = poll_watch_.must_yield(warp, logs_[warp]);
      if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
      if (others_first) break;
    }
    logs_.end_turn(warp, warps_[warp]);
  }
}

// Runs single lanes, chosen by the adversary, until no lane of the block can continue, or the block
// is interrupted. Returns false if the launch has ended.
bool BlockRunner::run_adversarial() {
  adversary_->begin_interval();
  for (;;) {
    const std::uint32_t lane = adversary_->next_lane(warps_);
    if (lane == Lanes::none) return true;
    const std::uint32_t warp = lane / 32;
    if (adversary_->has_sprinted_in_vain()) patience_.restart();  // the sprint made the rows
    if (patience_.is_over() && !adversary_->is_sprinting(warp)) {
      if (!run_warp(warp)) return false;
      continue;
    }
    logs_.begin_turn(warp, warps_[warp]);
    bool continues = true;
    do {
      if (!run_lanes(warp, 1u << lane % 32)) return false;
      const bool paused = (warps_[warp].with_room() >> lane % 32 & 1) != 0;
      if (interleaved_ && paused && is_interrupted_before(lane, current.next))
        return interrupt_block(), true;
      continues = paused && adversary_->continues(lane, current.next);
    } while (continues);
    if (warps_[warp].with_room() == 0 &&
        (!judge(warp, warps_[warp].runnable == 0) || !open_warp_syncs(warp)))
      return false;
    logs_.end_turn(warp, warps_[warp]);
  }
}

bool BlockRunner::run_lanes(std::uint32_t warp, std::uint32_t lanes) {
  if (context_.live == nullptr ? lanes_.run(warp, lanes) : run_lanes_watched(warp, lanes))
    return true;
  if (lanes_.out_of_memory())
    ending_.crash("no memory for the threads' stacks");
  else
    ending_.leave();
  return false;
}

bool BlockRunner::run_lanes_watched(std::uint32_t warp, std::uint32_t lanes) {
  context_.live->begin_step();
  const bool go_on = lanes_.run(warp, lanes);
  context_.live->end_step();
  return go_on;
}

void BlockRunner::pause_for_judgement() {
  warps_[lanes_.running() / 32].full |= 1u << lanes_.running() % 32;
  const bool wrote = current.wrote;
  Lanes::suspend();
  current.wrote = wrote;
}

WarpLog::Judged BlockRunner::judge_rows(std::uint32_t index, bool all) {
  Warp& warp = warps_[index];
  if (polled_.is_searching())
    polled_.search(index, lanes_.existing(index), warp, logs_[index]);
  else if (budget_.is_nearly_used_up(index))
    polled_.note(index, warp, logs_[index]);
  const WarpLog::Judged judged = logs_[index].judge(context_, warp.cursor, all ? 0 : warp.runnable);
  patience_.count_rows(judged.most);
  rows_ += judged.most;
  stall_watch_.count_progress(judged.most);
  budget_.count_rows(index, judged);
  if (judged.level) {
    if (judged.most != 0) warp.full = 0;
  } else {
    for (std::uint32_t l = 0; l < WarpLog::lanes; ++l)
      if (judged.rows[l] != 0) warp.full &= ~(1u << l);
  }
  return judged;
}

bool BlockRunner::judge(std::uint32_t index, bool all) {
  const WarpLog::Judged judged = judge_rows(index, all);
  if (budget_.is_left(index)) return true;
  const std::uint32_t lane = budget_.furthest(index);
  // A loop that only synchronizes has no rows.
  const bool accessed = judged.level ? judged.most != 0 : judged.rows[lane] != 0;
  const SiteNumber site = accessed ? logs_[index].last_site(lane) : lanes_.site(index * 32 + lane);
  return out_of_budget(index * 32 + lane, context_.line(site));
}

}  // namespace histolab::kernels::emulator
