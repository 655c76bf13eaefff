#include "kernels/emulator/block_runner.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>

#include "kernels/emulator/messages.h"

namespace histolab::kernels::emulator {

namespace context = boost::context::detail;

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
  runnable_.resize(logs_.size());
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
    if (stuck_at_ != 0) end_by_step_limit(stuck_lane_, context_.line_of_instruction(stuck_at_));
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
    lane.state = State::runnable;
    lane.steps = 0;
    lane.wrote = false;
    lane.cursor = logs_[l / 32].start(l % 32);
  }
  for (std::uint32_t w = 0; w < logs_.size(); ++w) runnable_[w] = lanes_in(State::runnable, w);
  // Nobody may rely on what shared memory held before.
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared) std::memset(region.begin, 0xcd, region.size);
  for (;;) {
    bool progress = false;
    if (options_.schedule == Schedule::random) {
      if (!run_random()) return false;
    } else {
      for (std::uint32_t w = 0; w < logs_.size(); ++w) {
        if (runnable_[w] == 0) continue;
        progress = true;
        if (!run_warp(w)) return false;
      }
      if (progress) continue;
    }
    if (!open_barrier()) break;
    if (ended_) return false;
  }
  for (Observer* observer : context_.observers) observer->on_block_end();
  return true;
}

bool BlockRunner::run_warp(std::uint32_t warp) {
  turn_ = 0;
  while (turn_ < rows_per_turn && runnable_[warp] != 0) {
    const std::uint32_t lanes = lanes_with_room(warp);
    if (!run_lanes(warp, lanes)) return false;
    const bool all_wait = runnable_[warp] == 0;
    // A step of a stepping schedule is short: its rows can wait until a log is full.
    if (current.stepping && !all_wait && lanes_with_room(warp) == runnable_[warp]) continue;
    if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
  }
  return true;
}

// One lane after the other, as the generator says, until no lane of the block can go on.
bool BlockRunner::run_random() {
  for (;;) {
    std::vector<std::uint32_t> warps;
    for (std::uint32_t w = 0; w < logs_.size(); ++w)
      if (runnable_[w] != 0) warps.push_back(w);
    if (warps.empty()) return true;
    const std::uint32_t warp = warps[next_random(random_) % warps.size()];
    // A warp that was chosen makes a few steps: fewer look-ups, and still every order of two accesses can come up.
    for (std::uint64_t steps = 1 + next_random(random_) % 64; steps-- > 0 && runnable_[warp] != 0;) {
      const std::uint32_t lanes = lanes_with_room(warp);
      const auto choice = static_cast<std::uint32_t>(next_random(random_) % static_cast<std::uint32_t>(__builtin_popcount(lanes)));
      if (!run_lanes(warp, 1u << nth_lane(lanes, choice))) return false;
      const bool all_wait = runnable_[warp] == 0;
      if (!all_wait && lanes_with_room(warp) == runnable_[warp]) continue;
      if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
    }
  }
}

std::uint32_t BlockRunner::lanes_in(State state, std::uint32_t warp) const {
  std::uint32_t mask = 0;
  for (std::uint32_t l = warp * 32; l < lanes_.size() && l < warp * 32 + 32; ++l)
    mask |= std::uint32_t{lanes_[l].state == state} << (l % 32);
  return mask;
}

// Runnable lanes whose log is not full. One whose log is may be ahead of the others; it goes on when they have caught up
// and its rows have been judged.
std::uint32_t BlockRunner::lanes_with_room(std::uint32_t warp) const {
  std::uint32_t mask = 0;
  for_each_lane(runnable_[warp], [&](std::uint32_t l) {
    const std::uint64_t* cursor = lanes_[warp * 32 + l].cursor;
    mask |= std::uint32_t{!WarpLog::full(cursor) || cursor == logs_[warp].start(l)} << l;
  });
  return mask;
}

// ---- switching: whoever goes on stores where the other left off, at the place that comes with the switch ---------------

bool BlockRunner::run_lanes(std::uint32_t warp, std::uint32_t lanes) {
  pass_warp_ = warp;
  pass_lanes_ = lanes;
  switch_from(&runner_fiber_);
  return !ended_;
}

void BlockRunner::switch_from(Fiber* save) {
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
  const context::transfer_t back = context::jump_fcontext(next, save);
  *static_cast<Fiber*>(back.data) = back.fctx;
}

// Makes `lane` the one that runs. nullptr: there is no memory for its stack, and the launch has ended.
BlockRunner::Fiber BlockRunner::enter(std::uint32_t index) {
  Lane& lane = lanes_[index];
  if (lane.fiber == nullptr) {
    lane.stack = take_stack();
    if (lane.stack < 0) {
      end_ = {Ending::crashed, "no memory for the threads' stacks"};
      ended_ = true;
      return nullptr;
    }
    lane.fiber = context::make_fcontext(context_.window->stack_top(static_cast<std::uint64_t>(lane.stack)),
                                        Window::usable_stack_bytes, &BlockRunner::lane_main);
  }
  running_ = index;
  current.cursor = lane.cursor;
  current.wrote = lane.wrote;
  thread_index = lane.thread;
  return lane.fiber;
}

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

void BlockRunner::lane_main(context::transfer_t from) {
  *static_cast<Fiber*>(from.data) = from.fctx;
  BlockRunner& runner = *current.runner;
  runner.call_();
  Lane& lane = runner.lanes_[runner.running_];
  lane.state = State::finished;
  lane.cursor = current.cursor;
  runner.runnable_[runner.running_ / 32] &= ~(1u << runner.running_ % 32);
  if (runner.retired_stack_ >= 0) runner.free_stacks_.push_back(runner.retired_stack_);
  runner.retired_stack_ = lane.stack;
  runner.switch_from(&runner.nobody_);
  __builtin_unreachable();
}

void BlockRunner::pause() {
  Lane& lane = lanes_[running_];
  lane.cursor = current.cursor;
  lane.wrote = current.wrote;
  switch_from(&lane.fiber);
}

void BlockRunner::wait(State state, SiteNumber site) {
  Lane& lane = lanes_[running_];
  lane.state = state;
  lane.site = site;
  runnable_[running_ / 32] &= ~(1u << running_ % 32);
  pause();
}

void BlockRunner::wake(std::uint32_t lane) {
  lanes_[lane].state = State::runnable;
  runnable_[lane / 32] |= 1u << lane % 32;
  ++lanes_[lane].steps;
}

// Into the runner, for good.
void BlockRunner::leave() {
  lanes_[running_].cursor = current.cursor;
  stuck_lane_ = running_;
  pass_lanes_ = 0;
  switch_from(&nobody_);
  __builtin_unreachable();
}

bool BlockRunner::judge(std::uint32_t warp, bool all) {
  std::array<std::uint64_t*, WarpLog::lanes> cursors;
  std::uint64_t most = 0;
  for (std::uint32_t l = 0; l < WarpLog::lanes; ++l) {
    const std::uint32_t index = warp * 32 + l;
    cursors[l] = index < lanes_.size() ? lanes_[index].cursor : logs_[warp].start(l);
  }
  const auto before = cursors;
  logs_[warp].judge(context_, cursors, all ? 0 : runnable_[warp]);
  std::uint32_t over_budget = no_lane;
  for (std::uint32_t index = warp * 32; index < lanes_.size() && index < warp * 32 + 32; ++index) {
    Lane& lane = lanes_[index];
    const auto judged = static_cast<std::uint64_t>(before[index % 32] - cursors[index % 32]) / WarpLog::lanes;
    lane.cursor = cursors[index % 32];
    lane.steps += judged;
    most = std::max(most, judged);
    if (lane.steps > options_.steps_per_thread && over_budget == no_lane) over_budget = index;
  }
  turn_ += most + 1;
  if (over_budget == no_lane) return true;
  Finding finding;
  finding.kind = FindingKind::step_limit;
  end_by_step_limit(over_budget, context_.line(logs_[warp].last_site(over_budget % 32)));
  return false;
}

void BlockRunner::end_by_step_limit(std::uint32_t lane, int line) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = line;
  finding.thread = thread_id(lane);
  finding.message = step_limit_message(finding, options_.steps_per_thread);
  context_.findings->add(std::move(finding));
  end_ = {Ending::stopped, "step limit"};
  ended_ = true;
}

int BlockRunner::barrier(SiteNumber site, Reduction reduction, bool predicate) {
  Lane& lane = lanes_[running_];
  lane.reduction = reduction;
  lane.predicate = predicate;
  wait(State::at_barrier, site);
  return lane.result;
}

void BlockRunner::warp_sync(SiteNumber site, std::uint32_t mask) {
  lanes_[running_].mask = mask | 1u << running_ % 32;
  wait(State::at_warp_sync, site);
}

bool BlockRunner::open_warp_syncs(std::uint32_t warp) {
  const std::uint32_t waiting = lanes_in(State::at_warp_sync, warp);
  if (waiting == 0) return true;
  const std::uint32_t gone = ~0u & ~(runnable_[warp] | waiting | lanes_in(State::at_barrier, warp));
  std::uint32_t opened = 0;
  for_each_lane(waiting, [&](std::uint32_t l) {
    const std::uint32_t mask = lanes_[warp * 32 + l].mask & ~gone;
    if ((mask & ~waiting) != 0 || (opened >> l & 1) != 0) return;
    // Everything logged before the synchronization is judged before it opens.
    if (opened == 0 && !judge(warp, true)) return;
    for (Observer* observer : context_.observers) observer->on_warp_sync(warp, mask);
    if (mask == (waiting | runnable_[warp])) logs_[warp].converge(l);
    for_each_lane(mask, [&](std::uint32_t m) { wake(warp * 32 + m); });
    opened |= mask;
  });
  return !ended_;
}

// No lane can go on: opens the barrier. False: all lanes have returned.
bool BlockRunner::open_barrier() {
  std::uint32_t waiting = 0, first = no_lane, finished = no_lane, elsewhere = no_lane, at_warp_sync = no_lane;
  int count = 0;
  for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
    const Lane& lane = lanes_[l];
    if (lane.state == State::finished && finished == no_lane) finished = l;
    if (lane.state == State::at_warp_sync && at_warp_sync == no_lane) at_warp_sync = l;
    if (lane.state != State::at_barrier) continue;
    ++waiting;
    count += lane.predicate;
    if (first == no_lane) first = l;
    // The compiler may have copied a barrier: the same source line is the same barrier.
    if (lane.site != lanes_[first].site && context_.line(lane.site) != context_.line(lanes_[first].site) && elsewhere == no_lane)
      elsewhere = l;
  }
  if (waiting == 0 && at_warp_sync == no_lane) return false;
  const auto report = [&](std::uint32_t lane, std::uint32_t other) {
    Finding finding;
    finding.kind = FindingKind::barrier_divergence;
    finding.space = Space::none;
    finding.line = context_.line(lanes_[lane].site);
    finding.thread = thread_id(lane);
    finding.other_thread = thread_id(other);
    const bool other_returned = lanes_[other].state == State::finished;
    finding.other_line = other_returned ? 0 : context_.line(lanes_[other].site);
    finding.message = barrier_divergence_message(finding, other_returned);
    context_.findings->add(std::move(finding));
  };
  if (at_warp_sync != no_lane) {  // waits for lanes that stand at the block's barrier
    for (std::uint32_t l = 0; l < lanes_.size(); ++l)
      if (lanes_[l].state == State::at_warp_sync) wake(l);
    if (first != no_lane) report(at_warp_sync, first);
    return true;
  }
  if (elsewhere != no_lane) report(first, elsewhere);
  else if (finished != no_lane) report(first, finished);
  for (Observer* observer : context_.observers) observer->on_barrier();
  ++context_.epoch;
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (const std::uint32_t here = lanes_in(State::at_barrier, w); here != 0)
      logs_[w].converge(static_cast<std::uint32_t>(__builtin_ctz(here)));
  const bool all = count == static_cast<int>(waiting), any = count > 0;
  for (Lane& lane : lanes_) {
    if (lane.state != State::at_barrier) continue;
    wake(static_cast<std::uint32_t>(&lane - lanes_.data()));
    lane.result = lane.reduction == Reduction::count ? count : lane.reduction == Reduction::all ? all : any;
    if (lane.steps > options_.steps_per_thread && !ended_)
      end_by_step_limit(static_cast<std::uint32_t>(&lane - lanes_.data()), context_.line(lane.site));
  }
  return true;
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
    std::array<std::uint64_t*, WarpLog::lanes> cursors;
    for (std::uint32_t l = 0; l < WarpLog::lanes; ++l)
      cursors[l] = w * 32 + l < lanes_.size() ? lanes_[w * 32 + l].cursor : logs_[w].start(l);
    logs_[w].judge(context_, cursors, 0);
  }
  if (pending_stray_)
    for (Observer* observer : context_.observers) observer->on_stray_access(*pending_stray_);
  for (Observer* observer : context_.observers) observer->on_block_end();
  end_ = budget_is_no_matter;
  if (fault_signal_ == 0) return;
  end_ = {Ending::stopped, fmt::format("signal {} ({})", fault_signal_, strsignal(fault_signal_))};
  // A crash that no observer can explain by an access that it saw.
  if (context_.findings->has_error()) return;
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
  if (++lanes_[running_].steps > options_.steps_per_thread)
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
