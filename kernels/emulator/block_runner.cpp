#include "kernels/emulator/block_runner.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/emulator/debugger.h"
#include "kernels/emulator/device_heap.h"
#include "kernels/emulator/live_launch.h"
#include "kernels/emulator/messages.h"
#include "kernels/emulator/random.h"

namespace histolab::kernels::emulator {

namespace {

constexpr int ticks_until_stuck = 5;                    // timer ticks without progress: see on_tick
constexpr int steps_of_a_loop = 4096;                   // instructions in which an endless loop shows its lines
constexpr std::size_t max_printed = 64 * 1024;
constexpr const char* stack_used_up = "needs more local memory than a thread's stack has (256 KiB). Make its local arrays smaller, or its recursion shorter";

// The k-th set bit of `mask`.
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
    : context_(context), options_(options), lanes_(*context.window, thread_indices(context), call), warps_(lanes_.warps()),
      collectives_(context, warps_, lanes_) {
  logs_.resize(warps_.size());
  steps_.resize(warps_.size());
  predicates_.resize(warps_.size());
  asks_since_.resize(warps_.size());
  question_.resize(warps_.size());
  random_ = options.seed;
  if (options.schedule == Schedule::adversarial) adversary_.emplace(warps_.size(), options.seed);
  context.stack_of = [this](std::uint32_t lane) { return lanes_.stack_of(lane); };
  kernel_line_ = context.line_of_instruction(reinterpret_cast<std::uint64_t>(call.entry));
}

BlockRunner::~BlockRunner() = default;

LaunchEnd BlockRunner::run(BlockRange blocks) {
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
  current.watched = current.announces || current.shows || current.debugged;
  if (context_.debugged) show_to_debugger();
  set_shape({grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
  for (std::uint32_t b = blocks.first; b < blocks.end && !ended_ && !context_.decided; ++b) {
    const Dim3 place = context_.thread_id(b, 0).block;
    set_block_index({place.x, place.y, place.z});
    if (run_block(b)) continue;
    if (stuck_) end_by_step_limit(stuck_lane_, stuck_line_, 0);
    judge_what_is_left();
  }
  current = {};
  if (context_.debugged) histolab_debug_view.lanes = 0;
  return end_;
}

bool BlockRunner::run_block(std::uint32_t block) {
  context_.block = block;
  context_.block_epoch = ++context_.epoch;
  ++progress_;
  for (Observer* observer : context_.observers) observer->on_block_begin();
  lanes_.begin_block();
  for (std::uint32_t w = 0; w < logs_.size(); ++w) logs_[w].begin(w), steps_[w] = {};
  barriers_ = rows_in_block_ = asked_ = 0;
  std::ranges::fill(question_, 0);  // nothing of one block's course is the next one's business: they may run in several processes
  // Nobody may rely on what shared memory held before.
  for (const Region& region : context_.window->regions())
    if (region.space == Space::shared) std::memset(region.begin, 0xcd, region.size);
  if (context_.debugged && !enter_block()) return false;
  for (;;) {
    bool progress = false;
    if (options_.schedule == Schedule::random) {
      if (!run_random()) return false;
    } else if (adversary_) {
      if (!run_adversarial()) return false;
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
  if (context_.live != nullptr) context_.live->end_block();
  return true;
}

void BlockRunner::show_to_debugger() const {
  DebugView& view = histolab_debug_view;
  const Dim3 &grid = context_.config.grid, &block = context_.config.block;
  std::ranges::copy(std::array<std::uint64_t, 3>{grid.x, grid.y, grid.z}, view.grid);
  std::ranges::copy(std::array<std::uint64_t, 3>{block.x, block.y, block.z}, view.block);
  view.running_block = reinterpret_cast<std::uint64_t>(&context_.block);
  const auto address_of = [](std::string_view variable) { return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer()) + static_cast<std::uint64_t>(*runtime_variable(variable)); };
  view.thread_index = address_of("histolab_threadIdx"), view.block_index = address_of("histolab_blockIdx");
  view.block_dim = address_of("histolab_blockDim"), view.grid_dim = address_of("histolab_gridDim");
  lanes_.show_to_debugger();
}

// For who debugs: each thread stands before its first line when the block is shown.
bool BlockRunner::enter_block() {
  current.entering = true;
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (!run_lanes(w, warps_[w].runnable)) return false;
  current.entering = false;
  histolab_debug_view.entry_site = lanes_.site(0), histolab_debug_view.exit_site = ~0ull;
  histolab_debug_event(DebugEvent::block_begins);
  return true;
}

// A warp has a log's memory only while it has rows in it, or runs.
void BlockRunner::begin_turn(std::uint32_t warp) {
  if (logs_[warp].has_memory()) return;
  logs_[warp].take(idle_memory_);
  logs_[warp].set_cursors(warps_[warp].cursor);
}

void BlockRunner::end_turn(std::uint32_t warp) {
  if (warps_[warp].runnable == 0) logs_[warp].give(idle_memory_);  // all wait or have returned, and everything was judged
}

bool BlockRunner::run_warp(std::uint32_t warp) {
  turn_ = 0;
  begin_turn(warp);
  while ((turn_ < rows_per_turn() || impatient()) && warps_[warp].runnable != 0) {
    const std::uint32_t lanes = warps_[warp].with_room();
    if (!run_lanes(warp, lanes)) return false;
    const bool all_wait = warps_[warp].runnable == 0;
    // A step of a stepping schedule is short: its rows can wait until a log is full.
    if (current.stepping && !all_wait && warps_[warp].full == 0 && !context_.debugged) continue;
    const bool others_first = waits_for_others(warp);
    if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
    if (others_first) break;
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
    for (std::uint64_t steps = 1 + next_random(random_) % 64; (steps-- > 0 || impatient()) && warps_[warp].runnable != 0;) {
      const std::uint32_t lanes = warps_[warp].with_room();
      const auto choice = static_cast<std::uint32_t>(next_random(random_) % static_cast<std::uint32_t>(__builtin_popcount(lanes)));
      if (!run_lanes(warp, 1u << nth_lane(lanes, choice))) return false;
      const bool all_wait = warps_[warp].runnable == 0;
      if (!all_wait && warps_[warp].with_room() != 0) continue;
      const bool others_first = waits_for_others(warp);
      if (!judge(warp, all_wait) || !open_warp_syncs(warp)) return false;
      if (others_first) break;
    }
    end_turn(warp);
  }
}

// One lane after the other, as the adversary says, until no lane of the block can go on.
bool BlockRunner::run_adversarial() {
  adversary_->begin_interval();
  for (;;) {
    const std::uint32_t lane = adversary_->next_lane(warps_);
    if (lane == Lanes::none) return true;
    const std::uint32_t warp = lane / 32;
    if (impatient()) {
      if (!run_warp(warp)) return false;
      continue;
    }
    begin_turn(warp);
    do {
      if (!run_lanes(warp, 1u << lane % 32)) return false;
    } while ((warps_[warp].with_room() >> lane % 32 & 1) != 0 && adversary_->goes_on(lane, current.next));
    if (warps_[warp].with_room() == 0 && (!judge(warp, warps_[warp].runnable == 0) || !open_warp_syncs(warp))) return false;
    end_turn(warp);
  }
}

// ---- giving way ------------------------------------------------------------------------------------------------------

bool BlockRunner::run_lanes(std::uint32_t warp, std::uint32_t lanes) {
  if (context_.live == nullptr ? lanes_.run(warp, lanes) : run_lanes_watched(warp, lanes)) return true;
  if (lanes_.out_of_memory()) end_ = {end_.rows, Ending::crashed, "no memory for the threads' stacks"};
  ended_ = true;
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
  Steps& steps = steps_[index];
  const WarpLog::Judged judged = logs_[index].judge(context_, warp.cursor, all ? 0 : warp.runnable);
  turn_ += judged.most + 1;
  rows_in_block_ += judged.most;
  end_.rows += judged.most;
  progress_ += judged.most;
  if (judged.level) {
    steps.of_all += judged.most;
    if (judged.most != 0) warp.full = 0;
  } else {
    for (std::uint32_t l = 0; l < WarpLog::lanes; ++l) {
      steps.add(l, judged.rows[l]);
      if (judged.rows[l] != 0) warp.full &= ~(1u << l);
    }
  }
  return judged;
}

bool BlockRunner::judge(std::uint32_t index, bool all) {
  const WarpLog::Judged judged = judge_rows(index, all);
  const Steps& steps = steps_[index];
  if (within_budget(steps)) return true;
  const std::uint32_t lane = steps.furthest();
  // A loop that does nothing but synchronize has no rows.
  const bool accessed = judged.level ? judged.most != 0 : judged.rows[lane] != 0;
  const SiteNumber site = accessed ? logs_[index].last_site(lane) : lanes_.site(index * 32 + lane);
  return out_of_budget(index * 32 + lane, context_.line(site));
}

void BlockRunner::end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget) {
  Finding finding;
  finding.kind = FindingKind::step_limit;
  finding.line = line;
  finding.thread = thread_id(lane);
  finding.message = step_limit_message(finding, budget);
  context_.findings->add(std::move(finding));
  end_ = {end_.rows, Ending::stopped, "step limit"};
  ended_ = true;
}

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

void BlockRunner::fence(Scope scope) {
  for (Observer* observer : context_.observers) observer->on_fence(lanes_.running(), scope);
}

// An access that leaves its region is told when its row is judged.
void BlockRunner::access_now(std::uint64_t address, SiteNumber number, bool updates, bool belongs_to_last) {
  const Site& site = (*context_.sites)[number];
  const auto within = [&](const Region* region) {
    return region != nullptr && address - region->address() < region->size && address + site.bytes <= region->address() + region->size;
  };
  const Region* region = within(site.usual) ? site.usual : context_.window->find(address);
  if (!within(region)) return;
  const auto offset = static_cast<std::uint32_t>(address - region->address());
  if (context_.live != nullptr && region == context_.watched_input && reads(site.kind)) context_.live->note_read(offset, site.bytes);
  if (!region->tracked_for_races() || (!context_.in_order && context_.recorded_steps == 0)) return;
  const LaneAccess access{number, site.kind, site.bytes, site.scope, site.is_volatile, updates, lanes_.running(), region, offset, belongs_to_last};
  for (Observer* observer : context_.observers) observer->on_lane_access(access);
}

void BlockRunner::report_barrier_divergence(std::uint32_t lane, std::uint32_t other) {
  const Warp& warp = warps_[other / 32];
  const bool returned = (warp.live() >> other % 32 & 1) == 0;
  Finding finding;
  finding.kind = FindingKind::barrier_divergence;
  finding.line = context_.line(lanes_.site(lane));
  finding.other_line = returned ? 0 : context_.line(lanes_.site(other));
  finding.thread = thread_id(lane);
  finding.other_thread = thread_id(other);
  finding.message = barrier_divergence_message(finding, returned);
  context_.findings->add(std::move(finding));
}

// A lane that waits at a barrier on another source line than `first`: the compiler may have copied one, so the same line
// is the same barrier.
std::uint32_t BlockRunner::waits_elsewhere(std::uint32_t first) const {
  const int line = context_.line(lanes_.site(first));
  for (std::uint32_t w = first / 32; w < warps_.size(); ++w)
    for (std::uint32_t left = warps_[w].at_barrier; left != 0; left &= left - 1) {
      const std::uint32_t lane = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(left));
      if (lanes_.site(lane) != lanes_.site(first) && context_.line(lanes_.site(lane)) != line) return lane;
    }
  return Lanes::none;
}

// No lane can go on: opens the barrier. False: all lanes have returned, or the launch has ended.
bool BlockRunner::open_barrier() {
  std::uint32_t at_barrier = Lanes::none, returned = Lanes::none;
  const auto note = [](std::uint32_t& lane, std::uint32_t warp, std::uint32_t bits) {
    if (bits != 0 && lane == Lanes::none) lane = warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(bits));
  };
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    note(at_barrier, w, warps_[w].at_barrier);
    note(returned, w, lanes_.existing(w) & ~warps_[w].live());
  }
  if (at_barrier == Lanes::none) return false;
  const bool all_at_one = returned == Lanes::none && lanes_.all_at_one_site();
  if (const std::uint32_t elsewhere = all_at_one ? Lanes::none : waits_elsewhere(at_barrier); elsewhere != Lanes::none)
    report_barrier_divergence(at_barrier, elsewhere);
  else if (returned != Lanes::none)
    report_barrier_divergence(at_barrier, returned);
  context_.barrier = lanes_.site(at_barrier);
  for (Observer* observer : context_.observers) observer->on_barrier();
  ++context_.epoch;
  last_predicates_ = {};
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t here = std::exchange(warps_[w].at_barrier, 0);
    last_predicates_.lanes += __builtin_popcount(here);
    last_predicates_.true_ones += __builtin_popcount(std::exchange(predicates_[w], 0));
    if (here != 0) logs_[w].converge(static_cast<std::uint32_t>(__builtin_ctz(here)));
    warps_[w].runnable |= here;
  }
  ++barriers_, ++progress_;
  if (within_budget(steps_[at_barrier / 32])) return true;
  end_by_step_limit(at_barrier, context_.line(lanes_.site(at_barrier)), options_.steps_per_thread);
  return false;
}

void BlockRunner::end_by_stray(std::uint64_t address, SiteNumber site) {
  const Site& at = (*context_.sites)[site];
  // Shown to the observers after the rows before it: its record is not in the log.
  pending_stray_ = StrayAccess{site, at.kind, at.bytes, lanes_.running(), address};
  end_ = {end_.rows, Ending::stopped, "an access to memory that is not there"};
  if (context_.debugged) tell_of_stray();
  lanes_.leave();
}

// While the lane still stands at it.
void BlockRunner::tell_of_stray() {
  const std::uint32_t lane = lanes_.running();
  Lanes::note_place();
  for (std::uint32_t w = 0; w < logs_.size(); ++w)
    if (logs_[w].has_memory()) logs_[w].judge(context_, warps_[w].cursor, 0);
  next_record = warps_[lane / 32].cursor[lane % 32];
  for (Observer* observer : context_.observers) observer->on_stray_access(*pending_stray_);
  pending_stray_.reset();
}

bool BlockRunner::may_touch(std::uint64_t address, const Site& site) const {
  const std::uint64_t bytes = site.bytes;
  if (bytes == 0) return false;  // no access: a frame that is to grow
  const auto lies_in = [&](std::uint64_t begin, std::uint64_t size) { return address - begin < size && address - begin + bytes <= size; };
  if (!writes(site.kind) && (lies_in(context_.window->begin(), Window::image_bytes) || is_runtime_variable(address, bytes))) return true;
  if ((current.told_writes || !writes(site.kind)) && lies_in(current.told, current.told_bytes)) return true;
  const std::uint32_t lane = lanes_.running();
  const std::uint64_t* const first = logs_[lane / 32].start(lane % 32);
  const std::uint64_t* record = next_record;
  for (int callbacks = 4; callbacks > 0 && record != first; --callbacks) {
    record -= WarpLog::lanes;
    const Site& reported = (*context_.sites)[*record >> 48];
    if ((writes(reported.kind) || !writes(site.kind)) && lies_in(*record & ((1ull << 48) - 1), reported.bytes)) return true;
  }
  return false;
}

int BlockRunner::last_line() const {
  const std::uint32_t lane = lanes_.running();
  const bool has_record = next_record != logs_[lane / 32].start(lane % 32);
  return has_record ? context_.line(static_cast<SiteNumber>(next_record[-std::ptrdiff_t{WarpLog::lanes}] >> 48)) : kernel_line_;
}

void BlockRunner::end_by_local(SiteNumber number) {
  const Site& site = (*context_.sites)[number];
  const bool is_frame = site.bytes == 0;
  Finding finding;
  finding.kind = is_frame ? FindingKind::illegal_instruction : FindingKind::out_of_bounds;
  if (!is_frame) finding.space = Space::local;
  finding.line = site.line;
  finding.thread = thread_id(lanes_.running());
  finding.message = is_frame ? fmt::format("{} {}", describe(*finding.thread), stack_used_up) : beyond_local_message(finding, site.kind, site.bytes);
  context_.findings->add(std::move(finding));
  end_ = {end_.rows, Ending::stopped, is_frame ? "no room on the thread's stack" : "an access beyond the thread's local variables"};
  lanes_.leave();
}

void BlockRunner::end_by_fault(FindingKind kind, int line, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.thread = thread_id(lanes_.running());
  finding.message = fmt::format("{}: {}", describe(*finding.thread), message);
  context_.findings->add(std::move(finding));
  end_ = {end_.rows, Ending::stopped, std::move(message)};
  lanes_.leave();
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
  if (fault_signal_ != 0) report_fault();
}

void BlockRunner::report_fault() {
  end_ = {end_.rows, Ending::stopped, fmt::format("signal {} ({})", fault_signal_, strsignal(fault_signal_))};
  // A crash that an observer explains by an access that it saw needs no second finding.
  const auto explains = [](const Finding& f) { return f.kind == FindingKind::out_of_bounds || f.kind == FindingKind::misaligned_access; };
  const auto& known = context_.findings->findings();
  const bool by_access = fault_signal_ == SIGSEGV || fault_signal_ == SIGBUS;
  if (by_access && !fault_in_stack_ && std::any_of(known.begin(), known.end(), explains)) return;
  Finding finding;
  finding.line = context_.line_of_instruction(fault_at_);
  finding.thread = thread_id(fault_lane_);
  finding.kind = FindingKind::illegal_instruction;
  const char* what = fault_signal_ == SIGFPE ? (fault_may_overflow_ ? "divides the smallest integer by -1 or by zero. Test the divisor first" : "divides an integer by zero. Test the divisor first")
                     : fault_in_call_        ? "calls a function through a pointer that leads to none. Set the pointer before the call"
                     : fault_in_stack_       ? stack_used_up
                     : fault_signal_ == SIGSEGV || fault_signal_ == SIGBUS ? "touches memory that is not there. Check its pointers and indices"
                                                                           : "runs into an illegal instruction. Check that every function returns its value on every way";
  finding.message = fmt::format("{} {}", describe(*finding.thread), what);
  context_.findings->add(std::move(finding));
}

void* BlockRunner::allocate(std::uint64_t bytes, std::string_view function, SiteNumber site) {
  return context_.heap->allocate(bytes, function, context_.line(site));
}

bool BlockRunner::release(std::uint64_t address, SiteNumber site) {
  using Freed = DeviceHeap::Freed;
  const DeviceHeap::Freeing freeing =
      context_.heap != nullptr ? context_.heap->free(address, context_.line(site)) : DeviceHeap::Freeing{Freed::never_allocated};
  if (freeing.what == Freed::done) return true;
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.space = Space::global;
  finding.line = context_.line(site);
  finding.thread = thread_id(lanes_.running());
  if (freeing.region != nullptr) finding.variable = freeing.region->name;
  else if (const Region* region = context_.window->find(address)) finding.variable = region->name;
  finding.message = wrong_free_message(finding, freeing);
  context_.findings->add(std::move(finding));
  return false;
}

void BlockRunner::sleep(SiteNumber site) {
  ++progress_;
  Steps& steps = steps_[lanes_.running() / 32];
  steps.add(lanes_.running() % 32, 1);
  if (!within_budget(steps)) end_by_fault(FindingKind::step_limit, context_.line(site), "sleeps and wakes without end. Check that what it waits for can happen");
  lanes_.suspend();
}

void BlockRunner::print(std::string_view text) {
  ++progress_;
  constexpr std::string_view cut = "\n(printf: more than 64 KiB, the rest is left out)\n";
  if (printed_.size() < max_printed) {
    printed_.append(text);
    if (printed_.size() >= max_printed) printed_.replace(max_printed - cut.size(), std::string::npos, cut);
  }
  Steps& steps = steps_[lanes_.running() / 32];
  steps.add(lanes_.running() % 32, 1);
  if (!within_budget(steps)) end_by_fault(FindingKind::step_limit, 0, "prints without end. Check what makes the loop's condition false");
}

void BlockRunner::on_fault(const Fault& fault) {
  if (lanes_.running() == Lanes::none) return;
  fault_signal_ = fault.signal;
  fault_lane_ = lanes_.running();
  fault_in_stack_ = fault.signal == SIGSEGV && context_.window->is_below_a_stack(fault.address);
  fault_in_call_ = fault.signal == SIGSEGV && fault.address == fault.instruction;
  const auto dividend = static_cast<std::int64_t>(fault.accumulator);
  fault_may_overflow_ = dividend == INT64_MIN || static_cast<std::int32_t>(dividend) == INT32_MIN;
  fault_at_ = fault.instruction;
  // Back to who called: on the stack lies where the call would have returned to.
  if (fault_in_call_ && context_.window->find(fault.stack_pointer) != nullptr) {
    std::memcpy(&fault_at_, reinterpret_cast<const void*>(fault.stack_pointer), sizeof fault_at_);
    --fault_at_;
  }
  // Within a library's function the register may hold anything.
  std::uint64_t* const known = warps_[fault_lane_ / 32].cursor[fault_lane_ % 32];
  if (!WarpLog::comes_after(known, next_record)) next_record = known;
  lanes_.leave();
}

bool BlockRunner::is_of_kernel(std::uint64_t instruction) const { return instruction - context_.window->begin() < Window::text_bytes; }

// Who gets on, has a cursor that moves; or, where most of the time goes to functions of ours, in which it cannot be asked (see on_step),
// makes progress that is known here.
bool BlockRunner::on_tick(std::uint64_t instruction) {
  if (lanes_.running() == Lanes::none) return false;
  if (steps_watched_ != 0) return true;
  const std::uint64_t* const cursor = is_of_kernel(instruction) ? next_record : tick_cursor_;
  const bool cursor_moves = std::exchange(tick_cursor_, cursor) != cursor;
  if (lanes_.running() != tick_lane_ || progress_ != tick_progress_ || cursor_moves) {
    tick_lane_ = lanes_.running();
    tick_progress_ = progress_;
    ticks_without_progress_ = 0;
    return false;
  }
  if (++ticks_without_progress_ < ticks_until_stuck) return false;
  steps_watched_ = 1;
  watched_cursor_ = nullptr;
  stuck_line_ = 0;
  return true;
}

// A step may be one of a function of ours that the kernel has called. The cursor's register may then hold anything, and a lane that left
// would leave things half done: in an observer, or in the library's memory.
bool BlockRunner::on_step(std::uint64_t instruction) {
  const bool in_kernel = is_of_kernel(instruction);
  if (in_kernel && watched_cursor_ == nullptr) watched_cursor_ = next_record, steps_watched_ = 1;
  if (lanes_.running() != tick_lane_ || progress_ != tick_progress_ || (in_kernel && next_record != watched_cursor_)) {  // it goes on after all
    steps_watched_ = ticks_without_progress_ = 0;
    return false;
  }
  const int line = in_kernel ? context_.line_of_instruction(instruction) : 0;
  // The first line of what is seen, but the kernel's own lines go before those of a helper that it calls in its loop.
  const auto comes_before = [&](int a, int b) { return (a < kernel_line_) != (b < kernel_line_) ? b < kernel_line_ : a < b; };
  if (line != 0 && (stuck_line_ == 0 || comes_before(line, stuck_line_))) stuck_line_ = line;
  if (++steps_watched_ <= steps_of_a_loop) return true;
  if (!in_kernel) {
    if (steps_watched_ <= 2 * steps_of_a_loop) return true;
    steps_watched_ = 0;  // too long a way back: the next tick begins anew
    return false;
  }
  stuck_ = true;
  stuck_lane_ = lanes_.running();
  lanes_.leave();
}

}  // namespace histolab::kernels::emulator
