// BlockRunner: executes one launch, block by block, every thread of a block as a fiber of one OS
// thread.
//
// See docs/emulator.md, "Room run".
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
#include "kernels/emulator/lanes/warp_collectives.h"
#include "kernels/emulator/lanes/warp_log.h"
#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/run/block_logs.h"
#include "kernels/emulator/run/launch_ending.h"
#include "kernels/emulator/run/patience.h"
#include "kernels/emulator/run/poll_watch.h"
#include "kernels/emulator/run/polled_words.h"
#include "kernels/emulator/run/printed_text.h"
#include "kernels/emulator/run/stall_watch.h"
#include "kernels/emulator/run/step_budget.h"
#include "kernels/emulator/run/stuck_lanes.h"

namespace histolab::kernels::emulator {

// The result of a launch. `detail`: the reason if it ended early.
struct LaunchEnd {
  std::uint64_t rows = 0;  // judged rows of all warps
  Ending ending = Ending::completed;
  std::string detail;
};

class BlockRunner {
 public:
  // `context` and `options` must outlive the runner.
  BlockRunner(LaunchContext& context, const Options& options, const KernelCall& call);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Runs all blocks. Returns when they have ended, or when the launch ended early.
  LaunchEnd run();
  // The text that the kernel has printed.
  [[nodiscard]] const std::string& printed() const { return printed_.text(); }

  // ---- called by the runtime, on a lane's stack ----
  enum class Reduction { count, all, any };
  // Suspends the lane until its rows are judged, because its log is full.
  void pause_for_judgement();
  // Waits at a barrier of the block. Returns the reduction of all lanes' predicates.
  int barrier(SiteNumber site, Reduction reduction, bool predicate);
  void grid_barrier(SiteNumber site);
  // Waits in a warp-level function, and returns its result.
  std::uint64_t meet(const WarpCall& call);
  // Returns null if the heap has no room. `function`: "malloc" or "new".
  void* allocate(std::uint64_t bytes, std::string_view function, SiteNumber site);
  // Frees memory. If the address cannot be freed, it reports this and returns false.
  bool release(std::uint64_t address, SiteNumber site);
  void sleep(SiteNumber site);
  // Counts a step of the lane. Returns false if the lane's budget is used up.
  [[nodiscard]] bool count_poll();
  void fence(Scope scope);
  // Shows an access to the observers before it is made. Only if the context says `shows`.
  void access_now(std::uint64_t address, SiteNumber site, bool updates, bool belongs_to_last);
  [[noreturn]] void end_by_stray(std::uint64_t address, SiteNumber site);
  // Returns true for memory that no lane can change: constants, literals, built-in variables.
  [[nodiscard]] bool is_constant(std::uint64_t address, std::uint64_t bytes) const;
  // Returns true for a buffer, a variable in global or shared memory, allocated memory, or a red
  // zone.
  [[nodiscard]] bool is_variable(std::uint64_t address) const;
  // Returns true if a cursor of the running lane is at the begin of its log.
  [[nodiscard]] bool begins_log(const std::uint64_t* cursor) const;
  // The lane makes another access before the store that it has reported last.
  void interrupt_store();
  // Ends the launch by an access beyond a local variable, or outside of all memory.
  [[noreturn]] void end_by_local(SiteNumber site);
  // Returns the line of the running lane's last access.
  [[nodiscard]] int last_line() const;
  [[noreturn]] void end_by_fault(FindingKind kind, int line, std::string_view message);
  [[noreturn]] void end_by_overwriting(std::string_view what, int line);
  // Appends to the printed text, up to 64 KiB in all.
  void print(std::string_view text);

  // ---- called by signal handlers ----
  struct Fault {
    int signal;
    // The accessed address, and registers.
    std::uint64_t address, instruction, stack_pointer, accumulator;
  };
  // Leaves the lane that caused the fault. Returns only if no lane runs.
  void on_fault(const Fault& fault);
  // Returns true if every further instruction must be passed to on_step, until that returns false.
  bool on_tick(std::uint64_t instruction);
  bool on_step(std::uint64_t instruction);

 private:
  // The lanes at the last barrier, and the number of those whose predicate was true.
  struct Predicates {
    int lanes = 0, true_ones = 0;
  };
  // A thread that waits at a barrier, or has returned: then it has no site.
  struct AtBarrier {
    ThreadId thread;
    std::optional<SiteNumber> site;
  };
  // A block that waits at a grid barrier while others run.
  struct SuspendedBlock {
    std::uint32_t number = 0;
    AtBarrier first;  // the first of its threads
    Lanes::Suspended lanes;
    StepBudget::Steps steps;
    std::vector<SiteNumber> last_sites;  // per warp
    std::vector<std::uint8_t> shared;
    Patience::Rows rows;
    std::uint64_t grid_barriers = 0;
    [[nodiscard]] std::uint64_t bytes() const;
  };

  // A block that was interrupted between two accesses while others run
  // (block_runner_interleaved.cpp).
  struct InterruptedBlock {
    std::uint32_t number = 0;
    Lanes::Suspended lanes;
    std::vector<WarpLog> logs;
    StepBudget::Steps steps;
    Patience::Rows rows;
    std::vector<std::uint32_t> predicates;
    WarpCollectives::Calls calls;
    Predicates last_predicates;
    Current::Reports reports;
    std::vector<std::uint8_t> shared;
    std::uint32_t interruptions = 0;
    [[nodiscard]] std::uint64_t bytes() const { return lanes.bytes() + shared.size(); }
  };

  // Unless stated otherwise, functions below that return bool return false if the launch has ended.
  [[nodiscard]] bool continues() const { return !ending_.has_come() && !context_.decided; }
  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(context_.config.grid.count());
  }
  // Makes this the block that runs.
  void enter(std::uint32_t block);
  bool begin_block(std::uint32_t block);
  bool run_block_at(std::uint32_t position);
  // Runs the block until it ends, waits at a grid barrier or is interrupted.
  bool run_block();
  bool suspend_block();
  void resume_block(SuspendedBlock block);
  // Runs the blocks in turn, each until it ends or is interrupted, until all have ended. If the
  // launch ends early, it calls leave_launch with the position of the first block that has not
  // begun.
  void run_interleaved(const std::function<void(std::uint32_t)>& leave_launch);
  [[nodiscard]] bool is_interrupted_before(std::uint32_t lane, const NextAccess& access);
  [[nodiscard]] bool has_had_its_turn() const;
  [[nodiscard]] bool only_polls() const;
  void interrupt_block();
  void resume_interrupted(InterruptedBlock block);
  [[nodiscard]] std::vector<std::uint8_t> shared_memory() const;
  void restore_shared_memory(std::span<const std::uint8_t> saved);
  void open_grid_barrier();
  // Ends the launch, because it has passed too many grid barriers.
  void end_by_grid_barriers(std::uint32_t lane);
  // A grid barrier takes time for each thread of the grid. If it counted as one step, an endless
  // loop would be found too late.
  [[nodiscard]] std::uint64_t steps_of_grid_barrier() const {
    constexpr std::uint64_t threads_per_step = 128;
    return 1 + context_.config.grid.count() * context_.config.block.count() / threads_per_step;
  }
  bool enter_block();
  void show_to_debugger() const;
  // `steps`: steps per thread.
  void set_budget(std::uint64_t steps) {
    budget_.set_limit(steps);
    patience_.set_budget(steps);
  }
  // Runs the warp until all its lanes wait or have returned, or its turn is over.
  bool run_warp(std::uint32_t warp);
  bool run_random();
  bool run_adversarial();
  // Runs each of these lanes once, until it pauses.
  bool run_lanes(std::uint32_t warp, std::uint32_t lanes);
  bool run_lanes_watched(std::uint32_t warp, std::uint32_t lanes);
  // `all`: judges all records, because no lane of the warp can log more now.
  WarpLog::Judged judge_rows(std::uint32_t warp, bool all);
  // The same, and checks the budget.
  bool judge(std::uint32_t warp, bool all);
  // Releases lanes that wait in warp-level functions, if possible. `judged`: all records are judged
  // already.
  bool open_warp_syncs(std::uint32_t warp, bool judged = false);
  void continue_together(std::uint32_t warp, std::uint32_t lanes);
  [[nodiscard]] std::uint32_t furthest_behind(std::uint32_t warp, std::uint32_t asking);
  [[nodiscard]] std::uint32_t give_up_waiting(std::uint32_t warp);
  bool open_barrier();
  void report_barrier_divergence(std::uint32_t lane, std::uint32_t other);
  void report_barrier_divergence(const AtBarrier& waits, const AtBarrier& other, bool of_grid);
  [[nodiscard]] std::uint32_t waits_elsewhere(std::uint32_t first) const;
  void end_stuck(Finding finding, std::string_view detail);
  // `next`: position of the first block that has not begun.
  void report_stuck(std::uint32_t next);
  [[nodiscard]] std::optional<PolledWords::Writer> find_writer(std::uint32_t next);
  bool watch(std::uint32_t warp, WatchedWarp& watched);
  bool out_of_budget(std::uint32_t lane, int line);
  // `budget`: 0 if the lane made no access at all.
  void end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget);
  [[nodiscard]] ThreadId thread_id(std::uint32_t lane) const { return context_.thread_id(lane); }
  [[nodiscard]] bool is_of_kernel(std::uint64_t instruction) const;
  void judge_what_is_left();
  void judge_logs();
  void show_stray_at_lane();

  LaunchContext& context_;
  const Options& options_;
  Lanes lanes_;
  std::vector<Warp>& warps_;
  StepBudget budget_;
  Patience patience_;
  PollWatch poll_watch_;
  PolledWords polled_;
  BlockLogs logs_;
  WarpCollectives collectives_;
  // Per warp: predicates of the lanes that wait at a barrier, as bits.
  std::vector<std::uint32_t> predicates_;
  Predicates last_predicates_;
  std::uint64_t grid_barriers_ = 0;  // grid barriers that the block has passed.
  bool at_grid_barrier_ = false;     // a lane of the block waits at a grid barrier.
  std::vector<SuspendedBlock> suspended_;
  std::uint64_t suspended_bytes_ = 0;
  std::optional<std::uint32_t> ended_block_;  // the first block that has ended.
  bool interleaved_ = false;
  std::deque<InterruptedBlock> interrupted_;  // in the order of their interruptions.
  std::uint32_t not_begun_ = 0;               // number of blocks that have not begun.
  std::uint32_t interruptions_ = 0;           // interruptions of the running block.
  bool was_interrupted_ = false;              // the block that ran last was interrupted
  std::uint64_t random_ = 0;
  std::optional<Adversary> adversary_;
  BlockSequence sequence_;
  BlockSequence warp_order_;  // order in which the warps of the block take turns
  LaunchEnding ending_;
  std::uint64_t rows_ = 0;  // judged rows of all warps
  PrintedText printed_;
  int kernel_line_;  // first line of the kernel
  StallWatch stall_watch_;
};

}  // namespace histolab::kernels::emulator
