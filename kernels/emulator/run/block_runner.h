// BlockRunner: executes one launch, block by block, every thread of a block as a fiber of one OS
// thread.
//
// It decides what runs next. Its parts count, remember and judge, and do not know it. See
// docs/emulator.md, "Room run".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/lanes/adversary.h"
#include "kernels/emulator/lanes/block_sequence.h"
#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/lanes/warp_collectives.h"
#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/run/block_barrier.h"
#include "kernels/emulator/run/block_logs.h"
#include "kernels/emulator/run/grid_barrier.h"
#include "kernels/emulator/run/interruptions.h"
#include "kernels/emulator/run/launch_ending.h"
#include "kernels/emulator/run/patience.h"
#include "kernels/emulator/run/poll_watch.h"
#include "kernels/emulator/run/polled_words.h"
#include "kernels/emulator/run/printed_text.h"
#include "kernels/emulator/run/stall_watch.h"
#include "kernels/emulator/run/step_budget.h"

namespace histolab::kernels::emulator {

class WatchedWarp;

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

  // ---- called by the runtime, on a lane's stack (block_runner_calls.cpp) ----
  using Reduction = BlockBarrier::Reduction;
  // Suspends the lane until its rows are judged, because its log is full.
  void pause_for_judgement();
  // Waits at a barrier of the block. Returns the reduction of all lanes' predicates.
  int barrier(SiteNumber site, Reduction reduction, bool predicate);
  void grid_barrier(SiteNumber site);
  // Waits in a warp-level function, and returns its result. The members of a WarpCall come in
  // registers: copied from memory just after they were written one by one, they would stall.
  std::uint64_t meet(WarpFunction function, SiteNumber site, std::uint32_t mask,
                     std::uint64_t value, std::uint32_t operand, std::uint32_t width);
  // Returns null if the heap has no room. `function`: "malloc" or "new".
  void* allocate(std::uint64_t bytes, std::string_view function, SiteNumber site);
  // Frees memory. If the address cannot be freed, it reports this and returns false.
  bool release(std::uint64_t address, SiteNumber site);
  void sleep(SiteNumber site);
  void fence(Scope scope);
  // Appends to the printed text, up to 64 KiB in all.
  void print(std::string_view text);
  // Shows an access to the observers before it is made. Only if the context says `shows`.
  void access_now(std::uint64_t address, SiteNumber site, bool updates, bool belongs_to_last);
  // The lane makes another access before the store that it has reported last.
  void interrupt_store();
  // Returns true for memory that no lane can change: constants, literals, built-in variables.
  [[nodiscard]] bool is_constant(std::uint64_t address, std::uint64_t bytes) const;
  // Returns true for a buffer, a variable in global or shared memory, allocated memory, or a red
  // zone.
  [[nodiscard]] bool is_variable(std::uint64_t address) const;
  // Returns true if a cursor of the running lane is at the begin of its log.
  [[nodiscard]] bool begins_log(const std::uint64_t* cursor) const;
  // Returns the line of the running lane's last access.
  [[nodiscard]] int last_line() const;

  // ---- the same: they end the launch (block_runner_endings.cpp) ----
  [[noreturn]] void end_by_stray(std::uint64_t address, SiteNumber site);
  // For an access beyond a local variable, or outside of all memory.
  [[noreturn]] void end_by_local(SiteNumber site);
  [[noreturn]] void end_by_fault(FindingKind kind, int line, std::string_view message);
  [[noreturn]] void end_by_overwriting(std::string_view what, int line);

  // ---- called by signal handlers (block_runner_endings.cpp) ----
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
  // Unless stated otherwise, functions below that return bool return false if the launch has ended.

  // ---- blocks (block_runner.cpp) ----
  [[nodiscard]] bool continues() const { return !ending_.has_come() && !context_.decided; }
  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(context_.config.grid.count());
  }
  void begin_launch();
  // Judges what is left of a launch that has ended early, and reports why. `next`: position of the
  // first block that has not begun.
  void leave_launch(std::uint32_t next);
  // Runs the blocks in turn, each until it ends or is interrupted, until all have ended.
  void run_interleaved();
  // Makes this the block that runs.
  void enter(std::uint32_t block);
  bool begin_block(std::uint32_t block);
  // For a debugger: runs each thread to its first line, then shows the block.
  bool show_block();
  // `position`: in the order in which blocks begin.
  bool run_block_at(std::uint32_t position);
  // Runs the block until it ends, waits at a grid barrier or is interrupted.
  bool run_block();
  // Runs the lanes of the block until none can continue, or the block is interrupted.
  bool run_lanes_of_block();
  // Opens the block's barrier. Call it when no lane can continue. Returns false if all lanes have
  // returned, or the launch has ended.
  bool open_barrier();
  // The running block waits at a grid barrier. Everything in its logs must be judged.
  bool wait_for_grid();
  // Opens the grid barrier, and runs each block until it ends or waits again.
  void pass_grid_barrier();
  [[nodiscard]] bool is_interrupted_before(std::uint32_t lane, const NextAccess& access);
  void interrupt_block();
  void continue_interrupted(Interruptions::Block block);
  void save_block(SavedBlock& block);
  void restore_block(SavedBlock& block);

  // ---- turns of warps (block_runner_turns.cpp) ----
  // `steps`: steps per thread.
  void set_budget(std::uint64_t steps);
  // Gives each warp a turn, until no lane of the block can continue.
  bool run_in_turns();
  // Runs the warp until all its lanes wait or have returned, or its turn is over.
  bool run_warp(std::uint32_t warp);
  // Runs single lanes, chosen by the generator, until no lane of the block can continue.
  bool run_random();
  // Runs single lanes, chosen by the adversary, until no lane of the block can continue, or the
  // block is interrupted.
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
  // Returns the lanes that go first among those that call __activemask().
  [[nodiscard]] std::uint32_t furthest_behind(std::uint32_t warp, std::uint32_t asking);
  // Reports that lanes wait for one that never comes. Returns these lanes, which are released. Call
  // it if no lane of the warp can continue.
  [[nodiscard]] std::uint32_t give_up_waiting(std::uint32_t warp);

  // ---- a thread has used up its budget (block_runner_stuck.cpp) ----
  // Returns true if the lane may continue anyway.
  bool out_of_budget(std::uint32_t lane, int line);
  // Runs the lanes of a warp for a while, and notes their actions.
  bool watch(std::uint32_t warp, WatchedWarp& watched);
  void end_stuck(Finding finding, std::string_view detail);
  void report_stuck(std::uint32_t next);
  // Runs blocks that have not run yet. Returns nullopt if no write changes a polled word.
  [[nodiscard]] std::optional<PolledWords::Writer> find_writer(std::uint32_t next);
  // Runs these blocks, each from its begin. Returns those that get stuck, too, in reverse order.
  [[nodiscard]] std::vector<std::uint32_t> try_blocks(const std::vector<std::uint32_t>& positions);
  [[nodiscard]] std::vector<std::uint32_t> blocks_to_try(std::uint32_t next) const;

  // ---- endings (block_runner_endings.cpp) ----
  // `budget`: 0 if the lane made no access at all.
  void end_by_step_limit(std::uint32_t lane, int line, std::uint64_t budget);
  // Ends the launch, because it has passed too many grid barriers.
  void end_by_grid_barriers(std::uint32_t lane);
  // Judges all rows that are still in the logs.
  void judge_logs();
  // Shows the stray access to the observers while the lane is still at it. For debugged launches.
  void show_stray_at_lane();
  // Counts a step of the running lane, other than an access. Returns false if its budget is used
  // up.
  [[nodiscard]] bool count_step();
  [[nodiscard]] bool is_of_kernel(std::uint64_t instruction) const;
  [[nodiscard]] ThreadId thread_id(std::uint32_t lane) const { return context_.thread_id(lane); }

  LaunchContext& context_;
  const Options& options_;
  const int kernel_line_;  // first line of the kernel

  // The running block.
  Lanes lanes_;
  std::vector<Warp>& warps_;
  BlockLogs logs_;
  WarpCollectives collectives_;
  BlockBarrier barrier_;

  // The order of blocks, warps and lanes.
  BlockSequence sequence_;
  BlockSequence warp_order_;                    // order in which the warps of the block take turns
  std::uint64_t random_;                        // state of the generator of the schedule `random`
  std::optional<Adversary> adversary_;          // for the schedule `adversarial`
  std::optional<Interruptions> interruptions_;  // for the block order `interleaved`
  GridBarrier grid_barrier_;

  // Limits of the running block, and signs that it waits.
  StepBudget budget_;
  Patience patience_;
  PollWatch poll_watch_;
  PolledWords polled_;
  StallWatch stall_watch_;

  // The result.
  LaunchEnding ending_;
  std::uint64_t rows_ = 0;  // judged rows of all warps
  PrintedText printed_;
};

}  // namespace histolab::kernels::emulator
