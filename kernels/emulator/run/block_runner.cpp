// BlockRunner: the blocks of a launch, from the first one's begin to the last one's end.
#include "kernels/emulator/run/block_runner.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/launch/live_launch.h"

namespace histolab::kernels::emulator {
namespace {

// The last 64 of 2048 accesses of a lane are recorded: they fill its log. So a lane still pauses,
// and waiting and endless loops are still found.
constexpr std::uint32_t skipped_accesses = 31 * WarpLog::rows;

std::vector<Uint3> thread_indices(const LaunchContext& context) {
  std::vector<Uint3> indices;
  for (std::uint32_t lane = 0; lane < context.config.block.count(); ++lane) {
    const Dim3 place = context.thread_id(lane).thread;
    indices.push_back({place.x, place.y, place.z});
  }
  return indices;
}

std::uint64_t address_of_built_in(std::string_view variable) {
  return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer()) +
         static_cast<std::uint64_t>(*built_in_variable(variable));
}

void show_launch(const LaunchContext& context, const Lanes& lanes) {
  DebugView& view = histolab_debug_view;
  const Dim3 &grid = context.config.grid, &block = context.config.block;
  std::ranges::copy(std::array<std::uint64_t, 3>{grid.x, grid.y, grid.z}, view.grid);
  std::ranges::copy(std::array<std::uint64_t, 3>{block.x, block.y, block.z}, view.block);
  view.running_block = reinterpret_cast<std::uint64_t>(&context.block);
  view.thread_index = address_of_built_in("histolab_threadIdx");
  view.block_index = address_of_built_in("histolab_blockIdx");
  view.block_dim = address_of_built_in("histolab_blockDim");
  view.grid_dim = address_of_built_in("histolab_gridDim");
  lanes.show_to_debugger();
}

}  // namespace

BlockRunner::BlockRunner(LaunchContext& context, const Options& options, const KernelCall& call)
    : context_(context),
      options_(options),
      kernel_line_(context.line_of_instruction(reinterpret_cast<std::uint64_t>(call.entry))),
      lanes_(*context.window, thread_indices(context), call),
      warps_(lanes_.warps()),
      logs_(warps_.size()),
      collectives_(context, warps_, lanes_),
      barrier_(context, lanes_),
      sequence_(options.block_order, options.seed,
                static_cast<std::uint32_t>(context.config.grid.count())),
      warp_order_(options.block_order, options.seed, static_cast<std::uint32_t>(warps_.size())),
      random_(options.seed),
      budget_(options.steps_per_thread, warps_.size()),
      patience_(options.steps_per_thread, warps_.size()),
      poll_watch_(context, warps_),
      polled_(context),
      stall_watch_(kernel_line_) {
  if (options.schedule == Schedule::adversarial) adversary_.emplace(warps_.size(), options.seed);
  if (adversary_ && options.block_order == BlockOrder::interleaved && !context.cooperative)
    interruptions_.emplace(context, *adversary_);
  context.stack_of = [this](std::uint32_t lane) { return lanes_.stack_of(lane); };
}

BlockRunner::~BlockRunner() = default;

LaunchEnd BlockRunner::run() {
  begin_launch();
  if (interruptions_) {
    run_interleaved();
  } else {
    for (std::uint32_t position = 0; position < blocks() && continues(); ++position)
      if (!run_block_at(position)) leave_launch(position + 1);
  }
  while (grid_barrier_.has_blocks() && continues()) pass_grid_barrier();
  current = {};
  if (context_.debugged) histolab_debug_view.lanes = 0;
  return {rows_, ending_.ending(), ending_.detail()};
}

void BlockRunner::begin_launch() {
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
  const bool is_unwatched = context_.observers.empty() && !current.stepping && !current.shows &&
                            !current.debugged && context_.live == nullptr;
  current.skipped = is_unwatched ? skipped_accesses : 0;
  current.slow = current.announces || current.shows || current.debugged || current.skipped != 0;
  if (context_.debugged) show_launch(context_, lanes_);
  set_shape({grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
}

void BlockRunner::leave_launch(std::uint32_t next) {
  if (const auto& stall = stall_watch_.stall()) end_by_step_limit(stall->lane, stall->line, 0);
  judge_logs();
  ending_.show_stray(context_);
  for (Observer* observer : context_.observers) observer->on_block_end();
  ending_.report_fault(context_);
  if (ending_.stuck) report_stuck(next);
}

void BlockRunner::run_interleaved() {
  std::uint32_t next = 0;
  while (continues() && (next < blocks() || interruptions_->has_blocks())) {
    bool continues = true;
    if (interruptions_->begins_block(blocks() - next)) {
      continues = run_block_at(next++);
    } else {
      continue_interrupted(interruptions_->take(patience_.all_wait()));
      continues = run_block();
    }
    if (!continues) leave_launch(next);
  }
}

// ---- one block ---------------------------------------------------------------------------------

void BlockRunner::enter(std::uint32_t block) {
  const Dim3 place = context_.thread_id(block, 0).block;
  set_block_index({place.x, place.y, place.z});
  context_.block = block;
  if (options_.block_order == BlockOrder::random)
    warp_order_ = {BlockOrder::random, options_.seed + block + 1,
                   static_cast<std::uint32_t>(warps_.size())};
  context_.block_epoch = ++context_.epoch;
  context_.findings->begin_block();
  stall_watch_.count_progress();
  grid_barrier_.enter_block();
  poll_watch_.forget();
}

bool BlockRunner::begin_block(std::uint32_t block) {
  enter(block);
  for (Observer* observer : context_.observers) observer->on_block_begin();
  lanes_.begin_block();
  logs_.begin_block();
  budget_.begin_block();
  patience_.begin_block();
  polled_.forget();
  if (interruptions_) interruptions_->begin_block();
  // A kernel must not rely on the previous contents of shared memory.
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared) std::memset(region.begin, 0xcd, region.size);
  return !context_.debugged || show_block();
}

bool BlockRunner::show_block() {
  current.entering = true;
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (!run_lanes(w, warps_[w].runnable)) return false;
  current.entering = false;
  histolab_debug_view.entry_site = lanes_.site(0);
  histolab_debug_view.exit_site = ~0ull;
  histolab_debug_event(DebugEvent::block_begins);
  return true;
}

bool BlockRunner::run_block_at(std::uint32_t position) {
  return begin_block(sequence_.at(position)) && run_block();
}

bool BlockRunner::run_block() {
  for (;;) {
    if (!run_lanes_of_block()) return false;
    if (interruptions_ && interruptions_->was_interrupted()) return true;
    if (!open_barrier()) break;
    if (grid_barrier_.block_waits()) return wait_for_grid();
  }
  if (ending_.has_come()) return false;
  grid_barrier_.end_block(context_.block);
  patience_.end_block();
  for (Observer* observer : context_.observers) observer->on_block_end();
  if (context_.live != nullptr) context_.live->end_block();
  return true;
}

bool BlockRunner::run_lanes_of_block() {
  if (options_.schedule == Schedule::random) return run_random();
  return adversary_ ? run_adversarial() : run_in_turns();
}

bool BlockRunner::open_barrier() {
  const std::uint32_t first = barrier_.first();
  if (first == Lanes::none) return false;
  const bool of_grid = grid_barrier_.block_waits();
  context_.barrier = lanes_.site(first);
  for (Observer* observer : context_.observers) observer->on_barrier();
  // After the observers: a finding that they have held back until now may have caused the
  // divergence.
  if (const std::uint32_t other = barrier_.diverging_from(first); other != Lanes::none)
    context_.findings->add(
        divergence_finding(context_, barrier_.arrival(first), barrier_.arrival(other), of_grid));
  ++context_.epoch;
  context_.findings->begin_epoch();
  for (std::uint32_t w = 0; w < warps_.size(); ++w)
    if (const std::uint32_t here = warps_[w].at_barrier; here != 0)
      logs_[w].converge(static_cast<std::uint32_t>(__builtin_ctz(here)));
  barrier_.open();
  budget_.count_barrier(of_grid ? GridBarrier::steps(context_.config) : 1);
  stall_watch_.count_progress();
  if (budget_.is_left(first / 32)) return true;
  if (of_grid)
    end_by_grid_barriers(first);
  else
    end_by_step_limit(first, context_.line(lanes_.site(first)), budget_.limit());
  return false;
}

// ---- blocks that run in turn -------------------------------------------------------------------

void BlockRunner::save_block(SavedBlock& block) {
  for (Observer* observer : context_.observers) observer->on_block_suspend();
  block.number = context_.block;
  block.lanes = lanes_.suspend_block();
  block.steps = budget_.steps();
  block.rows = patience_.rows();
  block.shared = copy_shared_memory(*context_.window);
}

void BlockRunner::restore_block(SavedBlock& block) {
  enter(block.number);
  lanes_.resume_block(block.lanes);
  budget_.resume_block(std::move(block.steps));
  patience_.resume_block(std::move(block.rows));
  restore_shared_memory(*context_.window, block.shared);
}

bool BlockRunner::wait_for_grid() {
  GridBarrier::Block block;
  const auto runs = std::ranges::find_if(warps_, [](const Warp& w) { return w.runnable != 0; });
  const auto warp = static_cast<std::uint32_t>(runs - warps_.begin());
  block.first =
      barrier_.arrival(warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(runs->runnable)));
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    block.last_sites.push_back(logs_[w].last_site(0));
  save_block(block);
  std::optional<Finding> too_large = grid_barrier_.add(context_, std::move(block));
  if (!too_large) return true;
  context_.findings->add(std::move(*too_large));
  ending_.stop("no room for all blocks of the grid");
  return false;
}

void BlockRunner::pass_grid_barrier() {
  if (std::optional<Finding> divergence = grid_barrier_.divergence(context_))
    context_.findings->add(std::move(*divergence));
  for (Observer* observer : context_.observers) observer->on_grid_barrier();
  stall_watch_.count_progress();
  for (GridBarrier::Block& block : grid_barrier_.open()) {
    if (!continues()) return;
    grid_barrier_.continue_block(block);
    restore_block(block);
    for (std::uint32_t w = 0; w < logs_.size(); ++w) logs_[w].begin(w, block.last_sites[w]);
    for (Observer* observer : context_.observers) observer->on_block_resume();
    block = {};
    if (!run_block()) leave_launch(blocks());
  }
}

bool BlockRunner::is_interrupted_before(std::uint32_t lane, const NextAccess& access) {
  if (polled_.is_searching() || adversary_->is_sprinting(lane / 32)) return false;
  if (interruptions_->turn_is_over(patience_, warps_.size())) {
    patience_.end_turn_of_block(poll_watch_.only_polls(logs_));
    return true;
  }
  if (!interruptions_->happens_before(lane, access)) return false;
  patience_.note_progress();
  return true;
}

void BlockRunner::interrupt_block() {
  Interruptions::Block block;
  save_block(block);
  block.logs = logs_.take();
  block.predicates = barrier_.take_predicates();
  block.calls = collectives_.save();
  block.reports = current.reports;
  interruptions_->add(std::move(block));
}

void BlockRunner::continue_interrupted(Interruptions::Block block) {
  restore_block(block);
  logs_.restore(std::move(block.logs));
  barrier_.restore(std::move(block.predicates));
  collectives_.restore(block.calls);
  current.reports = block.reports;
  for (Observer* observer : context_.observers) observer->on_block_resume();
}

}  // namespace histolab::kernels::emulator
