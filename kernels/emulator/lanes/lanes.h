// Lanes: the threads of one block as fibers of one OS thread, and the switches between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/arch/fiber.h"
#include "kernels/emulator/arch/kernel_call.h"
#include "kernels/emulator/lanes/current.h"
#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// The lanes of one warp by their state, as bits. Lanes in none of the first three states have
// returned or do not exist.
struct Warp {
  std::uint32_t runnable = 0, at_barrier = 0, at_warp_sync = 0;
  // Runnable lanes with a full log. They are ahead of the others, and wait until rows are judged.
  std::uint32_t full = 0;
  std::array<std::uint64_t*, 32> cursor{};  // per lane: position of the next record in its log
  [[nodiscard]] std::uint32_t with_room() const { return runnable & ~full; }
  [[nodiscard]] std::uint32_t live() const { return runnable | at_barrier | at_warp_sync; }
};

// A pass (run()) runs some lanes of one warp, each until it suspends itself or returns. Each lane
// switches directly to the next one, the last one to the caller. If a lane returns and the next one
// of the pass has not begun, that one starts on the same stack: no switch is needed, and the stack
// is in the cache.
class Lanes {
  struct Lane {
    Fiber fiber = nullptr;  // null until the lane begins
    Uint3 thread{};
    std::uint32_t stack = 0;  // number of its stack, once the lane has begun
  };

 public:
  static constexpr std::uint32_t none = ~0u;

  // `thread`: threadIdx per lane.
  Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call);

  void begin_block();
  // Frees the stacks of the block's lanes, which never run again.
  void abandon_block();

  // The lanes of a block while another block runs on the same stacks. The stacks' contents are
  // copied out of the window. No kernel can reach the copies, and guards and addresses of stacks
  // are the same for every block.
  struct Suspended {
    std::vector<Warp> warps;
    std::vector<Lane> lanes;
    std::vector<SiteNumber> sites;
    // Stacks of the live lanes, from the stack pointer up, with the kernel's arguments there.
    std::vector<std::uint8_t> stacks;
    [[nodiscard]] std::uint64_t bytes() const;
  };
  // Call it only while no lane runs.
  [[nodiscard]] Suspended suspend_block();
  void resume_block(const Suspended& block);

  // Runs these lanes of a warp, each until it suspends itself or returns. Returns false if a lane
  // called leave(), or if memory for a stack is exhausted (`out_of_memory`). The launch then ends.
  bool run(std::uint32_t warp, std::uint32_t lanes);

  // Returns the lane that runs, or `none` if no lane runs.
  [[nodiscard]] std::uint32_t running() const {
    return pass_.left == 0 ? none : static_cast<std::uint32_t>(&running_lane() - lanes_.data());
  }
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  // Returns true if the last run() returned false.
  [[nodiscard]] bool has_left() const { return left_ || out_of_memory_; }
  [[nodiscard]] std::vector<Warp>& warps() { return warps_; }
  [[nodiscard]] const std::vector<Warp>& warps() const { return warps_; }
  // Returns the lanes that the warp has, as bits.
  [[nodiscard]] std::uint32_t existing(std::uint32_t warp) const;
  // Returns the site at which the lane waits, or waited last.
  [[nodiscard]] SiteNumber site(std::uint32_t lane) const { return sites_[lane]; }
  // Returns the number of the lane's stack.
  [[nodiscard]] std::uint32_t stack_of(std::uint32_t lane) const { return lanes_[lane].stack; }
  [[nodiscard]] bool all_at_one_site() const;
  // Writes the addresses of this object's state to the debugger's view.
  void show_to_debugger() const;

  // ---- on a lane's stack ----
  // Stores the lane's cursor. Call it before a library function that may crash.
  static void note_place() { pass_.warp->cursor[pass_.index()] = next_record; }
  // Stores the site at which the lane is about to be suspended.
  static void note_site(SiteNumber site) { pass_.sites[pass_.index()] = site; }
  static void suspend();
  static void wait_at_barrier(SiteNumber site);
  // Suspends the lane, and moves it from the runnable lanes to `where`.
  static void wait(std::uint32_t Warp::*where, SiteNumber site);
  // Ends the pass. run() returns false.
  [[noreturn]] void leave();

 private:
  // The state that lanes need to switch to each other. It is thread-local, not a member of an
  // object, so its address is known.
  struct Pass {
    // Lanes as bits. The lowest is the lane that runs, the others follow in order.
    std::uint32_t left = 0;
    // Lanes that have reached a barrier, and lanes that have returned, in this pass.
    std::uint32_t at_barrier = 0, returned = 0;
    Lane* first = nullptr;        // lanes of the warp
    SiteNumber* sites = nullptr;  // sites of these lanes
    Warp* warp = nullptr;
    Fiber caller = nullptr;
    [[nodiscard]] std::uint32_t index() const {
      return static_cast<std::uint32_t>(__builtin_ctz(left));
    }
    [[nodiscard]] std::uint32_t bit() const { return left & (0 - left); }
  };
  static constinit thread_local Pass pass_;

  static Lane& running_lane() { return pass_.first[pass_.index()]; }
  static Fiber make_ready();
  // Returns false if memory is exhausted.
  bool map_stacks();
  // Returns the lanes that have begun and not returned.
  [[nodiscard]] std::vector<std::uint32_t> lanes_on_stacks() const;
  [[nodiscard]] std::span<std::uint8_t> stack_in_use(const Lane& lane) const;
  [[noreturn]] static void lane_begins();
  // Calls the kernel as the running lane, on that lane's stack.
  [[noreturn]] void begin();
  // A kernel that returns jumps to it (kernel_call.cpp), on its lane's empty stack.
  [[noreturn, gnu::used]] static void ended() asm("histolab_lane_ended");
  static void load();
  static void switch_away(Fiber* save);

  std::vector<Warp> warps_;
  std::vector<Lane> lanes_;
  std::vector<SiteNumber> sites_;  // per lane: the site at which it waits, or waited last
  const Window& window_;
  KernelCall call_;
  std::uint32_t mapped_stacks_ = 0;
  std::vector<std::uint32_t> free_;  // unused stacks. The last one is probably in the cache.
  bool left_ = false, out_of_memory_ = false;
};

// ---- the switch --------------------------------------------------------------------------------
//
// It is inlined into the functions that suspend a lane, so a waiting lane occupies few cache lines.

// Loads the state of the lane that runs next.
[[gnu::always_inline]] inline void Lanes::load() {
  const std::uint32_t index = pass_.index();
  next_record = pass_.warp->cursor[index];
  thread_index = pass_.first[index].thread;
  current.left_to_skip = current.skipped;
}

// Switches to the next lane of the pass, or to the caller of run(). Stores the fiber in `save`.
[[gnu::always_inline]] inline void Lanes::switch_away(Fiber* save) {
  note_place();
  pass_.left &= pass_.left - 1;
  if (pass_.left == 0) [[unlikely]]
    return switch_to(save, pass_.caller);
  Fiber next = running_lane().fiber;
  if (next == nullptr) [[unlikely]]
    next = make_ready();
  load();
  switch_to(save, next);
}

[[gnu::always_inline]] inline void Lanes::suspend() { switch_away(&running_lane().fiber); }

[[gnu::always_inline]] inline void Lanes::wait_at_barrier(SiteNumber site) {
  pass_.sites[pass_.index()] = site;
  pass_.at_barrier |= pass_.bit();
  suspend();
  current.wrote = false;  // after a barrier all lanes are level
}

[[gnu::always_inline]] inline void Lanes::wait(std::uint32_t Warp::*where, SiteNumber site) {
  pass_.sites[pass_.index()] = site;
  pass_.warp->runnable &= ~pass_.bit();
  pass_.warp->*where |= pass_.bit();
  suspend();
}

}  // namespace histolab::kernels::emulator
