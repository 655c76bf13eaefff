// BlockRunner: executes one launch, block by block, every thread of a block as a fiber of one OS thread.
//
// Theory of operation
// -------------------
// *Execution.* g++ compiled the student's file with -fsanitize=thread, which calls a function of
// ours before each access to memory that others could see. The loader (module.h) placed it inside
// the window (window.h). A CUDA thread ("lane") is a fiber (lanes.h). Lanes of a warp run in
// passes: each runs until it has to yield, then switches to the next; the last one of a pass
// returns to the runner.
//
// *Records.* A callback stores one 8-byte record, `site << 48 | address`, at the lane's cursor. The
// log of a warp is interleaved: record k of lane l is at `log + k*32 + l`. So when the 32 lanes do
// the same thing, one warp instruction is one 256-byte row and nothing has to be transposed. A lane
// switches back to the runner when its log is full, at a barrier, and when it returns. Then the
// rows are judged (warp_log.h): lanes at the same site in the same iteration form one warp-level
// access, and each observer sees it once.
//
// *Order.* Memory is the real memory: an access happens when the lane executes it. The schedule decides who executes:
//   run_to_barrier  a lane runs on until its log is full or it has to wait. Fast, and every kernel without a race computes
//                   the same under any schedule.
//   lockstep        a lane pauses before each write or atomic, and at the first read after one, until the other lanes of
//                   its warp got there too. So `histo[b]++` reads 32 times before it writes 32 times, and updates are
//                   lost as on hardware.
//   random          at each such pause a seeded generator picks any lane of any warp of the block.
//   adversarial     a lane pauses before each access; adversary.h picks the next one.
// A warp yields after a quantum, or earlier if it only polls memory that another warp must change.
// So a lane that spins on another warp's progress ends. Once all warps have had their quantum, or
// all poll, the block counts as stuck, and a warp keeps running until its budget is used up. Blocks
// run one after another, in a sequence of their own (block_sequence.h), or some of them in another
// process (parallel_launch.h). The race observer judges two blocks' accesses, and its result does
// not depend on their order. The result of an unordered pair of atomic operations may.
//
// *In order.* When a row is judged, the order of its accesses is no longer known. That does not
// matter for barriers. The effect of a fence depends on which thread observed which, and allocated
// memory is new for the thread that gets it. So if a kernel calls a fence or allocates, each access
// is also shown to the observers when it is made. The same callbacks show the accesses to a program
// that watches the launch (kernels/live.h); other launches pay nothing for that.
//
// *Waiting.* When every lane of a block waits at a barrier or has returned, the barrier opens. If
// some have returned, or the waiting lanes are on different source lines, that is barrier
// divergence. Warp-level functions return as soon as all lanes of their mask that have not returned
// have arrived (warp_collectives.h). If a lane can no longer arrive, this is a finding, and the
// waiting lanes proceed.
//
// *Grid barriers.* At grid_group::sync() all blocks are resident. A block whose threads all wait there is suspended
// (block_runner_grid.cpp): its shared memory and its threads' stacks are copied out of the window, and the next block runs on
// the same addresses. When every block waits or has ended, each is copied back and continues, in the same order.
//
// *Interleaved blocks.* In the order `interleaved` a block is interrupted in the same way, between any two accesses of an
// adversarial schedule (block_runner_interleaved.cpp). So an update between blocks that is not atomic as a whole is lost, as
// on hardware. Rows of several blocks are then judged in turn, so races are not looked for.
//
// *Ending.* A launch ends early in these cases: an access leaves the window or hits unmapped memory
// (SIGSEGV); a division by zero or a trap; a lane exceeds its budget of steps
// (block_runner_stuck.cpp: a deadlock, or an endless loop); or one lane uses processor time without
// any access. A timer's signal detects the last case: neither the lane's cursor moves nor is there
// other progress. Then the lane is single-stepped for a while and its cursor is watched, so the
// finding names the first line of its loop, wherever the signal came. Each case jumps from the lane
// straight into the runner. The runner judges the rows that are still in the logs, so the finding
// is about the last thing the kernel really did.
//
// *Limits.* A local variable that never escapes is invisible (and private anyway). Blocks meet at
// grid barriers only. A block that polls memory that a block must write which has not run is stuck,
// and the finding says so (block_runner_stuck.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/lanes/adversary.h"
#include "kernels/emulator/lanes/block_sequence.h"
#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/lanes/warp_collectives.h"
#include "kernels/emulator/lanes/warp_log.h"

namespace histolab::kernels::emulator {

// Blocks of a launch, by their position in the order in which they run.
struct BlockRange {
  std::uint32_t first = 0, end = 0;
};

// How a launch ended, and where when it ended early.
struct LaunchEnd {
  std::uint64_t rows = 0;  // of all warps, that were judged
  Ending ending = Ending::completed;
  std::string detail;
};

class BlockRunner {
 public:
  // `context` and `options` outlive the runner.
  BlockRunner(LaunchContext& context, const Options& options, const KernelCall& call);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  LaunchEnd run(BlockRange blocks);
  [[nodiscard]] const std::string& printed() const { return printed_; }

  // ---- called by the runtime, on a lane's stack ----
  enum class Reduction { count, all, any };
  void pause_for_judgement();  // the lane's log is full
  int barrier(SiteNumber site, Reduction reduction, bool predicate);
  void grid_barrier(SiteNumber site);
  std::uint64_t meet(const WarpCall& call);  // a warp-level function, and what it returns
  void* allocate(std::uint64_t bytes, std::string_view function, SiteNumber site);
  bool release(std::uint64_t address, SiteNumber site);  // returns false, and reports it, if the address cannot be freed
  void sleep(SiteNumber site);
  [[nodiscard]] bool step_aside();  // counts a step; false: the lane's budget is used up
  void fence(Scope scope);
  void access_now(std::uint64_t address, SiteNumber site, bool updates, bool belongs_to_last);  // when the context says `shows`
  [[noreturn]] void end_by_stray(std::uint64_t address, SiteNumber site);
  // Memory that no lane can change: constants, literals, built-in variables.
  [[nodiscard]] bool is_constant(std::uint64_t address, std::uint64_t bytes) const;
  // A buffer, a variable in global or shared memory, allocated memory, or a red zone.
  [[nodiscard]] bool is_variable(std::uint64_t address) const;
  // Returns whether a cursor of the running lane is where its log begins.
  [[nodiscard]] bool begins_log(const std::uint64_t* cursor) const;
  // The lane makes another access before the store that it has reported last.
  void interrupt_store();
  // An access beyond a local variable, or to no memory.
  [[noreturn]] void end_by_local(SiteNumber site);
  [[nodiscard]] int last_line() const;               // of the last access of the lane that runs
  [[noreturn]] void end_by_fault(FindingKind kind, int line, std::string_view message);
  [[noreturn]] void end_by_overwriting(std::string_view what, int line);
  void print(std::string_view text);

  // ---- called by signal handlers; return when the fault is not a lane's ----
  struct Fault {
    int signal;
    std::uint64_t address, instruction, stack_pointer, accumulator;  // what was touched, and registers
  };
  void on_fault(const Fault& fault);
  // Returns true if from now on every instruction must be passed to on_step, until that returns
  // false.
  bool on_tick(std::uint64_t instruction);
  bool on_step(std::uint64_t instruction);

 private:
  // Steps that the lanes of a warp have made: accesses and synchronizations.
  struct Steps {
    std::uint64_t of_all = 0;                 // while they were level
    std::array<std::uint64_t, 32> of_each{};  // besides
    std::uint64_t most = 0;                   // of of_each
    [[nodiscard]] std::uint32_t furthest() const { return static_cast<std::uint32_t>(std::ranges::max_element(of_each) - of_each.begin()); }
    void add(std::uint32_t lane, std::uint64_t steps) { most = std::max(most, of_each[lane] += steps); }
  };
  // The result of the last barrier's predicates.
  struct Predicates {
    int lanes = 0, true_ones = 0;
  };
  // A thread that waits at a barrier, or has returned (no site).
  struct AtBarrier {
    ThreadId thread;
    std::optional<SiteNumber> site;
  };
  // A block that waits at a grid barrier while others run.
  struct SuspendedBlock {
    std::uint32_t number = 0;
    AtBarrier first;  // of its threads
    Lanes::Suspended lanes;
    std::vector<Steps> steps;
    std::vector<SiteNumber> last_sites;  // of each warp
    std::vector<std::uint8_t> shared;
    std::uint64_t barriers = 0, grid_barriers = 0, rows = 0;
    [[nodiscard]] std::uint64_t bytes() const;
  };

  // A block that was interrupted between two accesses while others run (block_runner_interleaved.cpp).
  struct InterruptedBlock {
    std::uint32_t number = 0;
    Lanes::Suspended lanes;
    std::vector<WarpLog> logs;
    std::vector<Steps> steps;
    std::vector<std::uint64_t> asks_since;
    std::vector<std::uint32_t> predicates, asleep;
    WarpCollectives::Calls calls;
    Predicates last_predicates;
    Current::Reports reports;
    std::vector<std::uint8_t> shared;
    std::uint64_t barriers = 0, rows = 0, rows_waited = 0;
    std::uint32_t interruptions = 0;
    [[nodiscard]] std::uint64_t bytes() const { return lanes.bytes() + shared.size(); }
  };

  [[nodiscard]] bool goes_on() const { return !ended_ && !context_.decided; }
  void enter(std::uint32_t block);  // it runs from here on
  bool begin_block(std::uint32_t block);
  bool run_block_at(std::uint32_t position);  // as run_block
  bool run_block();  // until it ends or waits at a grid barrier. False: the launch has ended
  bool suspend_block();
  void resume_block(SuspendedBlock block);
  // Runs each block until it ends or is interrupted, until all have ended. Calls
  // leave_launch(position of the first block that has not begun) when the launch ends early.
  void run_interleaved(BlockRange blocks, const std::function<void(std::uint32_t)>& leave_launch);
  [[nodiscard]] bool is_interrupted_before(std::uint32_t lane, const NextAccess& access);
  [[nodiscard]] bool has_had_its_turn() const;
  [[nodiscard]] bool only_asks() const;
  void interrupt_block();
  void resume_interrupted(InterruptedBlock block);
  [[nodiscard]] std::vector<std::uint8_t> shared_memory() const;
  void restore_shared_memory(std::span<const std::uint8_t> saved);
  void open_grid_barrier();
  void end_by_grid_barriers(std::uint32_t lane);  // too many of them
  // A grid barrier takes time for each thread of the grid: counted as one step, it would end an endless loop too late.
  [[nodiscard]] std::uint64_t steps_of_grid_barrier() const {
    constexpr std::uint64_t threads_per_step = 128;
    return 1 + context_.config.grid.count() * context_.config.block.count() / threads_per_step;
  }
  bool enter_block();
  void show_to_debugger() const;
  void begin_turn(std::uint32_t warp);
  void end_turn(std::uint32_t warp);
  bool run_warp(std::uint32_t warp);  // until it waits, has returned, or its turn is over
  bool run_random();
  bool run_adversarial();
  bool run_lanes(std::uint32_t warp, std::uint32_t lanes);  // each once, until it pauses; false: the launch has ended
  bool run_lanes_watched(std::uint32_t warp, std::uint32_t lanes);
  WarpLog::Judged judge_rows(std::uint32_t warp, bool all);
  bool judge(std::uint32_t warp, bool all);  // false: the budget is used up, and the launch has ended
  // `judged`: all records are judged already. Returns false if the launch has ended.
  bool open_warp_syncs(std::uint32_t warp, bool judged = false);
  void go_on_together(std::uint32_t warp, std::uint32_t lanes);
  [[nodiscard]] std::uint32_t furthest_behind(std::uint32_t warp, std::uint32_t asking);
  [[nodiscard]] bool out_of_patience(std::uint32_t warp);
  [[nodiscard]] std::uint32_t give_up_waiting(std::uint32_t warp);
  bool open_barrier();
  void report_barrier_divergence(std::uint32_t lane, std::uint32_t other);
  void report_barrier_divergence(const AtBarrier& waits, const AtBarrier& other, bool of_grid);
  [[nodiscard]] std::uint32_t waits_elsewhere(std::uint32_t first) const;
  // Per warp, before the block's other warps get a turn.
  [[nodiscard]] std::uint64_t rows_per_turn() const { return std::clamp<std::uint64_t>(budget_ / 16, 64, 64 * 1024); }
  // Each warp had a turn, and the block has not finished: it seems to be stuck. Turns end, so that
  // one warp reaches its budget soon, and not all of them after a while.
  [[nodiscard]] bool impatient() const {
    return rows_in_block_ - rows_waited_ + rows_waited_by_all_ > warps_.size() * rows_per_turn();
  }
  // Restarts the count of rows by which the block seems stuck.
  void forget_rows() { rows_in_block_ = rows_before_turn_ = rows_waited_ = rows_waited_by_all_ = 0; }
  [[nodiscard]] bool within_budget(const Steps& steps) const { return steps.of_all + steps.most + barriers_ <= budget_; }
  [[nodiscard]] std::uint64_t question_of(std::uint32_t warp) const;
  [[nodiscard]] bool waits_for_others(std::uint32_t warp);
  // Actions of a warp's lanes while they were watched.
  struct Watched {
    std::uint32_t lanes = 0, asked = 0, stored = 0, left = 0;
    bool changed = false;  // something in memory
    std::array<std::uint64_t, 32> question{};  // the last record of an atomic operation or a volatile read
    [[nodiscard]] bool all_wait() const { return lanes != 0 && asked == lanes && stored == 0 && left == 0 && !changed; }
  };
  // A word of global memory that a lane of a stuck block polls, and its value when the block got stuck.
  struct Polled {
    std::uint64_t address = 0, bytes = 0, value = 0;
    SiteNumber site = 0;
    std::uint32_t lane = 0;
  };
  // The access of another block that changes a polled word.
  struct Writer {
    std::size_t polled = 0;
    std::uint32_t block = 0, lane = 0;
    SiteNumber site = 0;
  };
  void note_polled(std::uint32_t warp);
  void note_writer(std::uint32_t warp);
  void end_stuck(Finding finding, std::string_view detail);
  void report_stuck(BlockRange rest);
  [[nodiscard]] std::optional<Writer> find_writer(BlockRange rest);
  bool watch(std::uint32_t warp, Watched& watched);
  bool out_of_budget(std::uint32_t lane, int line);
  void end_by_deadlock(std::uint32_t lane, const std::vector<Watched>& watched);
  void end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget);  // budget 0: no access at all
  [[nodiscard]] ThreadId thread_id(std::uint32_t lane) const { return context_.thread_id(lane); }
  [[nodiscard]] bool is_of_kernel(std::uint64_t instruction) const;
  void judge_what_is_left();
  void tell_of_stray();
  void report_fault();

  LaunchContext& context_;
  const Options& options_;
  Lanes lanes_;
  std::vector<Warp>& warps_;
  std::vector<Steps> steps_;  // of each warp
  std::vector<WarpLog> logs_;
  std::vector<WarpLog::Memory> idle_memory_;  // for the next warp whose turn it is: the last one used, still in the cache
  WarpCollectives collectives_;
  std::vector<std::uint64_t> asks_since_;     // of each warp: rows_in_block_ + 1 when a lane began to wait at __activemask()
  std::vector<std::uint32_t> predicates_;     // of the lanes at a barrier that counts, as bits of each warp
  Predicates last_predicates_;
  std::uint64_t barriers_ = 0;                // steps that this block has made by barriers
  std::uint64_t grid_barriers_ = 0;           // that this block has passed
  bool at_grid_barrier_ = false;              // a lane of the block waits at one
  std::vector<SuspendedBlock> suspended_;
  std::uint64_t suspended_bytes_ = 0;
  std::optional<std::uint32_t> ended_block_;  // the first block that has ended
  bool interleaved_ = false;
  std::deque<InterruptedBlock> interrupted_;  // the one interrupted last comes last
  std::uint32_t not_begun_ = 0;               // blocks
  std::uint32_t interruptions_ = 0;           // of the block that runs
  std::uint64_t rows_before_turn_ = 0;        // its rows_in_block_ when its turn began
  std::uint64_t rows_waited_ = 0;             // of the block's turns in which it only waited for another one
  std::uint64_t rows_waited_by_all_ = 0;      // in turns like this since another turn, or since a block began or ended
  bool was_interrupted_ = false;              // the block that ran last
  std::uint64_t random_ = 0;
  std::optional<Adversary> adversary_;
  BlockSequence sequence_;
  BlockSequence warp_order_;    // in which the warps of the block take turns
  std::uint64_t turn_ = 0;      // rows of the running warp since its turn began
  std::uint64_t rows_in_block_ = 0;
  std::vector<std::uint64_t> question_;  // of each warp: what it asked last
  std::uint64_t budget_ = 0;             // steps of a thread
  std::vector<Polled> polled_;           // in the last part of a block's budget
  std::optional<std::uint64_t> global_before_;  // checksum of global memory when that part began
  std::optional<Finding> stuck_finding_;        // of the block that got stuck, until it is known whether another block would free it
  std::vector<std::uint32_t> asleep_;           // of each warp, as bits: lanes that sleep beyond their budget
  bool probing_ = false;                        // blocks run only to see whether they change a polled word
  std::optional<Writer> writer_;
  std::uint32_t asked_ = 0;              // warps, as bits, that have only asked the same again since one did anything else
  LaunchEnd end_;
  bool ended_ = false;
  std::string printed_;
  std::optional<StrayAccess> pending_stray_;
  int fault_signal_ = 0;
  std::uint64_t fault_at_ = 0;  // instruction
  bool fault_in_stack_ = false, fault_in_call_ = false, fault_may_overflow_ = false;
  std::uint32_t fault_lane_ = 0, stuck_lane_ = 0;
  std::uint32_t tick_lane_ = 0;
  std::uint64_t progress_ = 0;  // rows judged, blocks begun, barriers and warp-level functions passed, sleeps, prints, allocations
  std::uint64_t tick_progress_ = 0;
  const std::uint64_t* tick_cursor_ = nullptr;
  int ticks_without_progress_ = 0;
  int steps_watched_ = 0;  // not 0: the lane that runs seems to be stuck, and its loop is looked at
  const std::uint64_t* watched_cursor_ = nullptr;  // where it was then
  bool stuck_ = false;
  int stuck_line_ = 0, kernel_line_ = 0;
};

}  // namespace histolab::kernels::emulator
