#include "kernels/emulator/block_runner.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/messages.h"

namespace histolab::kernels::emulator {

namespace {

constexpr std::uint64_t rows_per_turn = 64 * 1024;      // of a warp, before the block's other warps get a turn
constexpr int ticks_until_stuck = 5;                    // timer ticks without one access: see on_tick
constexpr std::size_t max_printed = 64 * 1024;

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64 (Steele, Lea, Flood 2014)
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// The k-th set bit of `mask`.
std::uint32_t nth_lane(std::uint32_t mask, std::uint32_t k) {
  while (k-- > 0) mask &= mask - 1;
  return static_cast<std::uint32_t>(__builtin_ctz(mask));
}

}  // namespace

BlockRunner::BlockRunner(LaunchContext& context, const Options& options, std::function<void()> call)
    : context_(context), options_(options), call_(std::move(call)) {
  const auto threads = static_cast<std::uint32_t>(context.config.block.count());
  lanes_.resize(threads);
  logs_.resize((threads + 31) / 32);
  warps_.resize(logs_.size());
  for (std::uint32_t l = 0; l < threads; ++l) {
    const Dim3 place = thread_id(l).thread;
    lanes_[l].thread = {place.x, place.y, place.z};
  }
  random_ = options.seed;
}

BlockRunner::~BlockRunner() = default;

LaunchEnd BlockRunner::run() {
  const Dim3 &grid = context_.config.grid, &block = context_.config.block;
  current = {};
  current.window_begin = context_.window->begin();
  current.window_size = context_.window->size();
  current.runner = this;
  current.sites = context_.sites;
  current.stepping = options_.schedule != Schedule::run_to_barrier;
  set_shape({grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
  const auto blocks = static_cast<std::uint32_t>(grid.count());
  for (std::uint32_t b = 0; b < blocks && !ended_; ++b) {
    const Dim3 place = context_.thread_id(b, 0).block;
    set_block_index({place.x, place.y, place.z});
    if (run_block(b)) continue;
    if (stuck_at_ != 0) end_by_step_limit(stuck_lane_, context_.line_of_instruction(stuck_at_), 0);
    judge_what_is_left();
  }
  current.runner = nullptr;
  return end_;
}

bool BlockRunner::run_block(std::uint32_t block) {
  context_.block = block;
  context_.block_epoch = ++context_.epoch;
  for (Observer* observer : context_.observers) observer->on_block_begin();
  for (std::uint32_t w = 0; w < logs_.size(); ++w) logs_[w].begin(w);
  for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
    Lane& lane = lanes_[l];
    lane.fiber = nullptr;
    lane.wrote = false;
  }
  for (std::uint32_t w = 0; w < warps_.size(); ++w) warps_[w] = {}, warps_[w].runnable = lanes_of(w);
  arrivals_ = {};
  // Nobody may rely on what shared memory held before.
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared) std::memset(region.begin, 0xcd, region.size);
  for (;;) {
    bool progress = false;
    if (options_.schedule == Schedule::random) {
      if (!run_random()) return false;
    } else {
      for (std::uint32_t w = 0; w < logs_.size(); ++w) {
        if (warps_[w].runnable == 0) continue;
        progress = true;
        if (!run_warp(w)) return false;
      }
      if (progress) continue;
    }
    if (!open_barrier()) break;
  }
  if (ended_) return false;
  for (Observer* observer : context_.observers) observer->on_block_end();
  return true;
}

// A warp has a log's memory only while it has rows in it, or runs.
void BlockRunner::begin_turn(std::uint32_t warp) {
  if (logs_[warp].has_memory()) return;
  logs_[warp].take(idle_memory_);
  for (std::uint32_t l = 0; l < WarpLog::lanes; ++l) warps_[warp].cursor[l] = logs_[warp].start(l);
}

void BlockRunner::end_turn(std::uint32_t warp) {
  if (warps_[warp].runnable == 0) logs_[warp].give(idle_memory_);  // all wait or have returned, and everything was judged
}

bool BlockRunner::run_warp(std::uint32_t warp) {
  turn_ = 0;
  begin_turn(warp);
  while (turn_ < rows_per_turn && warps_[warp].runnable != 0) {
    const std::uint32_t lanes = warps_[warp].with_room();
    if (!run_lanes(warp, lanes)) return false;
    const bool all_wait = warps_[warp].runnable == 0;
    // A step of a stepping schedule is short: its rows can wait until a log is full.
    if (current.stepping && !all_wait && warps_[warp].full == 0) continue;
    if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
  }
  end_turn(warp);
  return true;
}

// One lane after the other, as the generator says, until no lane of the block can go on.
bool BlockRunner::run_random() {
  for (;;) {
    std::vector<std::uint32_t> warps;
    for (std::uint32_t w = 0; w < logs_.size(); ++w)
      if (warps_[w].runnable != 0) warps.push_back(w);
    if (warps.empty()) return true;
    const std::uint32_t warp = warps[next_random(random_) % warps.size()];
    begin_turn(warp);
    // A warp that was chosen makes a few steps: fewer look-ups, and still every order of two accesses can come up.
    for (std::uint64_t steps = 1 + next_random(random_) % 64; steps-- > 0 && warps_[warp].runnable != 0;) {
      const std::uint32_t lanes = warps_[warp].with_room();
      const auto choice = static_cast<std::uint32_t>(next_random(random_) % static_cast<std::uint32_t>(__builtin_popcount(lanes)));
      if (!run_lanes(warp, 1u << nth_lane(lanes, choice))) return false;
      const bool all_wait = warps_[warp].runnable == 0;
      if (!all_wait && warps_[warp].full == 0) continue;
      if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
    }
    end_turn(warp);
  }
}

std::uint32_t BlockRunner::lanes_of(std::uint32_t warp) const {
  const std::size_t lanes = std::min<std::size_t>(lanes_.size() - warp * 32, 32);
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

// ---- switching -------------------------------------------------------------------------------------------------------

// The one that was used last: it is in the cache. -1: no memory.
int BlockRunner::take_stack() {
  if (free_stacks_.empty()) {
    if (!context_.window->map_stack(static_cast<std::uint64_t>(mapped_stacks_))) return -1;
    return mapped_stacks_++;
  }
  const int stack = free_stacks_.back();
  free_stacks_.pop_back();
  return stack;
}

// Makes `lane` the one that runs. nullptr: there is no memory for its stack, and the launch has ended.
[[gnu::always_inline]] inline Fiber BlockRunner::enter(std::uint32_t index) {
  Lane& lane = lanes_[index];
  if (lane.fiber == nullptr) {
    lane.stack = take_stack();
    if (lane.stack < 0) {
      end_ = {Ending::crashed, "no memory for the threads' stacks"};
      ended_ = true;
      return nullptr;
    }
    lane.fiber = make_fiber(context_.window->stack_top(static_cast<std::uint64_t>(lane.stack)), &BlockRunner::lane_main);
  }
  running_ = index;
  current.cursor = warps_[index / 32].cursor[index % 32];
  current.wrote = lane.wrote;
  thread_index = lane.thread;
  return lane.fiber;
}

[[gnu::always_inline]] inline void BlockRunner::switch_from(Fiber* save) {
  Fiber next = nullptr;
  if (pass_lanes_ != 0) {
    const std::uint32_t lane = pass_warp_ * 32 + static_cast<std::uint32_t>(__builtin_ctz(pass_lanes_));
    pass_lanes_ &= pass_lanes_ - 1;
    next = enter(lane);
  }
  if (next == nullptr) {
    running_ = no_lane;
    current.cursor = nullptr;
    if (save == &runner_fiber_) return;
    next = runner_fiber_;
  }
  switch_to(save, next);
}

bool BlockRunner::run_lanes(std::uint32_t warp, std::uint32_t lanes) {
  pass_warp_ = warp;
  pass_lanes_ = lanes;
  switch_from(&runner_fiber_);
  return !ended_;
}

void BlockRunner::lane_main() {
  BlockRunner& runner = *current.runner;
  runner.call_();
  Lane& lane = runner.lanes_[runner.running_];
  runner.cursor_of(runner.running_) = current.cursor;
  runner.warps_[runner.running_ / 32].runnable &= ~(1u << runner.running_ % 32);
  if (runner.retired_stack_ >= 0) runner.free_stacks_.push_back(runner.retired_stack_);
  runner.retired_stack_ = lane.stack;
  runner.switch_from(&runner.nobody_);
  __builtin_unreachable();
}

[[gnu::always_inline]] inline void BlockRunner::suspend() {
  Lane& lane = lanes_[running_];
  cursor_of(running_) = current.cursor;
  lane.wrote = current.wrote;
  switch_from(&lane.fiber);
}

void BlockRunner::pause() { suspend(); }

void BlockRunner::pause_for_judgement() {
  warps_[running_ / 32].full |= 1u << running_ % 32;
  suspend();
}

[[gnu::always_inline]] inline void BlockRunner::wait(std::uint32_t Warp::* where, SiteNumber site) {
  Lane& lane = lanes_[running_];
  Warp& warp = warps_[running_ / 32];
  lane.site = site;
  ++warp.steps[running_ % 32];
  warp.runnable &= ~(1u << running_ % 32);
  warp.full &= ~(1u << running_ % 32);
  warp.*where |= 1u << running_ % 32;
  suspend();
}

// Into the runner, for good.
void BlockRunner::leave() {
  cursor_of(running_) = current.cursor;
  stuck_lane_ = running_;
  pass_lanes_ = 0;
  switch_from(&nobody_);
  __builtin_unreachable();
}

bool BlockRunner::judge(std::uint32_t index, bool all) {
  Warp& warp = warps_[index];
  const auto before = warp.cursor;
  logs_[index].judge(context_, warp.cursor, all ? 0 : warp.runnable);
  std::uint64_t most = 0, most_steps = 0;
  std::uint32_t moved = 0;
  for (std::uint32_t l = 0; l < WarpLog::lanes; ++l) {
    const auto rows = static_cast<std::uint64_t>(before[l] - warp.cursor[l]) / WarpLog::lanes;
    warp.steps[l] += rows;
    moved |= std::uint32_t{rows != 0} << l;
    most = std::max(most, rows);
    most_steps = std::max(most_steps, warp.steps[l]);
  }
  warp.full &= ~moved;
  turn_ += most + 1;
  if (most_steps <= options_.steps_per_thread) return true;
  const auto lane = static_cast<std::uint32_t>(std::max_element(warp.steps.begin(), warp.steps.end()) - warp.steps.begin());
  end_by_step_limit(index * 32 + lane, context_.line(logs_[index].last_site(lane)), options_.steps_per_thread);
  return false;
}

void BlockRunner::end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = line;
  finding.thread = thread_id(lane);
  finding.message = step_limit_message(finding, budget);
  context_.findings->add(std::move(finding));
  end_ = {Ending::stopped, "step limit"};
  ended_ = true;
}

int BlockRunner::barrier(SiteNumber site, Reduction reduction, bool predicate) {
  if (arrivals_.first == no_lane) arrivals_.first = running_;
  ++arrivals_.lanes;
  arrivals_.true_predicates += predicate;
  // The compiler may have copied a barrier: the same source line is the same barrier.
  if (site != lanes_[arrivals_.first].site && arrivals_.first != running_ &&
      context_.line(site) != context_.line(lanes_[arrivals_.first].site))
    arrivals_.elsewhere = running_;
  wait(&Warp::at_barrier, site);
  switch (reduction) {
    case Reduction::none: break;
    case Reduction::count: return last_arrivals_.true_predicates;
    case Reduction::all: return last_arrivals_.true_predicates == last_arrivals_.lanes;
    case Reduction::any: return last_arrivals_.true_predicates > 0;
  }
  return 0;
}

void BlockRunner::warp_sync(SiteNumber site, std::uint32_t mask) {
  lanes_[running_].mask = mask | 1u << running_ % 32;
  wait(&Warp::at_warp_sync, site);
}

bool BlockRunner::open_warp_syncs(std::uint32_t index) {
  Warp& warp = warps_[index];
  if (warp.at_warp_sync == 0) return true;
  const std::uint32_t waiting = warp.at_warp_sync, live = warp.runnable | waiting | warp.at_barrier;
  std::uint32_t opened = 0;
  for_each_lane(waiting, [&](std::uint32_t l) {
    const std::uint32_t mask = lanes_[index * 32 + l].mask & live;
    if ((mask & ~waiting) != 0 || (opened >> l & 1) != 0) return;
    // Everything logged before the synchronization is judged before it opens.
    if (opened == 0 && !judge(index, true)) return;
    for (Observer* observer : context_.observers) observer->on_warp_sync(index, mask);
    if (mask == (waiting | warp.runnable)) logs_[index].converge(l);
    opened |= mask;
  });
  warp.at_warp_sync &= ~opened;
  warp.runnable |= opened;
  return !ended_;
}

void BlockRunner::report_barrier_divergence(std::uint32_t lane, std::uint32_t other) {
  const Warp& warp = warps_[other / 32];
  const bool returned = ((warp.runnable | warp.at_barrier | warp.at_warp_sync) >> other % 32 & 1) == 0;
  Finding finding;
  finding.kind = FindingKind::barrier_divergence;
  finding.line = context_.line(lanes_[lane].site);
  finding.other_line = returned ? 0 : context_.line(lanes_[other].site);
  finding.thread = thread_id(lane);
  finding.other_thread = thread_id(other);
  finding.message = barrier_divergence_message(finding, returned);
  context_.findings->add(std::move(finding));
}

// No lane can go on: opens the barrier. False: all lanes have returned, or the launch has ended.
bool BlockRunner::open_barrier() {
  std::uint32_t at_warp_sync = no_lane, returned = no_lane;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t gone = lanes_of(w) & ~(warps_[w].at_barrier | warps_[w].at_warp_sync);
    if (gone != 0 && returned == no_lane) returned = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(gone));
    if (warps_[w].at_warp_sync != 0) at_warp_sync = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(warps_[w].at_warp_sync));
  }
  if (at_warp_sync != no_lane) {  // they wait for lanes that stand at the block's barrier
    if (arrivals_.first != no_lane) report_barrier_divergence(at_warp_sync, arrivals_.first);
    for (Warp& warp : warps_) warp.runnable |= std::exchange(warp.at_warp_sync, 0);
    return true;
  }
  if (arrivals_.first == no_lane) return false;
  if (arrivals_.elsewhere != no_lane) report_barrier_divergence(arrivals_.first, arrivals_.elsewhere);
  else if (returned != no_lane) report_barrier_divergence(arrivals_.first, returned);
  for (Observer* observer : context_.observers) observer->on_barrier();
  ++context_.epoch;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t here = std::exchange(warps_[w].at_barrier, 0);
    if (here != 0) logs_[w].converge(static_cast<std::uint32_t>(__builtin_ctz(here)));
    warps_[w].runnable |= here;
  }
  const std::uint32_t lane = arrivals_.first;
  last_arrivals_ = std::exchange(arrivals_, {});
  if (warps_[lane / 32].steps[lane % 32] <= options_.steps_per_thread) return true;
  end_by_step_limit(lane, context_.line(lanes_[lane].site), options_.steps_per_thread);
  return false;
}

void BlockRunner::end_by_stray(std::uint64_t address, SiteNumber site) {
  const Site& at = (*context_.sites)[site];
  // Shown to the observers after the rows before it: its record is not in the log.
  pending_stray_ = StrayAccess{site, at.kind, at.bytes, running_, address};
  end_ = {Ending::stopped, "an access to memory that is not there"};
  ended_ = true;
  leave();
}

void BlockRunner::end_by_fault(FindingKind kind, int line, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.thread = thread_id(running_);
  finding.message = fmt::format("{}: {}", describe(*finding.thread), message);
  context_.findings->add(std::move(finding));
  end_ = {Ending::stopped, std::move(message)};
  ended_ = true;
  leave();
}

// After an early end: the rows that are still in the logs hold the access that did it.
void BlockRunner::judge_what_is_left() {
  const auto budget_is_no_matter = end_;
  for (std::uint32_t w = 0; w < logs_.size(); ++w) {
    if (!logs_[w].has_memory()) continue;
    logs_[w].judge(context_, warps_[w].cursor, 0);
  }
  if (pending_stray_)
    for (Observer* observer : context_.observers) observer->on_stray_access(*pending_stray_);
  for (Observer* observer : context_.observers) observer->on_block_end();
  end_ = budget_is_no_matter;
  if (fault_signal_ == 0) return;
  end_ = {Ending::stopped, fmt::format("signal {} ({})", fault_signal_, strsignal(fault_signal_))};
  // A crash that an observer explains by an access that it saw needs no second finding.
  const auto explains = [](const Finding& f) { return f.kind == FindingKind::out_of_bounds || f.kind == FindingKind::misaligned_access; };
  const auto& known = context_.findings->findings();
  const bool by_access = fault_signal_ == SIGSEGV || fault_signal_ == SIGBUS;
  if (by_access && !fault_in_stack_ && std::any_of(known.begin(), known.end(), explains)) return;
  Finding finding;
  finding.line = context_.line_of_instruction(fault_at_);
  finding.thread = thread_id(fault_lane_);
  finding.kind = FindingKind::illegal_instruction;
  const char* what = fault_signal_ == SIGFPE ? "divides an integer by zero"
                     : fault_in_stack_       ? "needs more local memory than a thread's stack has (256 KiB)"
                     : fault_signal_ == SIGSEGV || fault_signal_ == SIGBUS ? "touches memory that is not there"
                                                                           : "runs into an illegal instruction";
  finding.message = fmt::format("{} {}", describe(*finding.thread), what);
  context_.findings->add(std::move(finding));
}

void BlockRunner::print(std::string_view text) {
  const std::size_t room = max_printed - std::min(printed_.size(), max_printed);
  printed_.append(text.substr(0, room));
  if (++warps_[running_ / 32].steps[running_ % 32] > options_.steps_per_thread)
    end_by_fault(FindingKind::step_limit, 0, "prints without end");
}

void BlockRunner::on_fault(int signal, std::uint64_t address, std::uint64_t instruction) {
  if (running_ == no_lane) return;
  fault_signal_ = signal;
  fault_lane_ = running_;
  const auto top = reinterpret_cast<std::uint64_t>(context_.window->stack_top(static_cast<std::uint64_t>(lanes_[running_].stack)));
  fault_in_stack_ = signal == SIGSEGV && address < top && top - address > Window::usable_stack_bytes - 4096 && top - address <= Window::stack_bytes;
  fault_at_ = instruction;
  ended_ = true;
  leave();
}

void BlockRunner::on_tick(std::uint64_t instruction) {
  if (running_ == no_lane) return;
  if (current.cursor != tick_cursor_ || running_ != tick_lane_) {
    tick_cursor_ = current.cursor;
    tick_lane_ = running_;
    ticks_without_access_ = 0;
    return;
  }
  const auto text = reinterpret_cast<std::uint64_t>(context_.window->image());
  if (++ticks_without_access_ < ticks_until_stuck || instruction - text >= Window::text_bytes) return;
  stuck_at_ = instruction;
  ended_ = true;
  leave();
}

}  // namespace histolab::kernels::emulator
