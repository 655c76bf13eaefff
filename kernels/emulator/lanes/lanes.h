// Lanes: the threads of one block as fibers of one OS thread, and how they hand over to each other.
//
// A pass runs some lanes of one warp, each until it suspends itself or returns. Every lane switches
// directly to the next one, the last back to the caller. Each lane has a stack, but a lane that
// returns continues as the next lane of the pass if that has never run: a warp without barriers
// runs on one hot stack, without a switch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/arch/fiber.h"
#include "kernels/emulator/lanes/current.h"
#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// A kernel and its arguments: addresses and words, as the System V ABI passes integers.
struct KernelCall {
  using Word = std::uint64_t;
  void (*entry)(Word, Word, Word, Word, Word, Word) = nullptr;
  std::array<Word, 6> arguments{};
  bool is_shallow = false;  // see Module
  [[noreturn]] void enter(std::uint8_t* stack_top) const;
};

// The kernel returns to the address given here, and nowhere else (guards.h), with the stack empty.
// Nothing is kept for then, neither on its stack nor in a register: the lane is known without.
[[noreturn, gnu::always_inline]] inline void KernelCall::enter(std::uint8_t* stack_top) const {
  static_assert(offsetof(KernelCall, entry) == 0 && offsetof(KernelCall, arguments) == 8);
  asm volatile(
      "movq %%rcx, %%rsp\n\t"
      "leaq histolab_lane_returned(%%rip), %%r10\n\t"
      "pushq %%r10\n\t"
      "movq 8(%%rax), %%rdi\n\t"
      "movq 16(%%rax), %%rsi\n\t"
      "movq 24(%%rax), %%rdx\n\t"
      "movq 32(%%rax), %%rcx\n\t"
      "movq 40(%%rax), %%r8\n\t"
      "movq 48(%%rax), %%r9\n\t"
      "jmpq *(%%rax)"
      :
      : "a"(this), "c"(stack_top), "r"(next_record)
      : "memory");
  __builtin_unreachable();
}

// The lanes of one warp, as bits by their state: those in none of the first three have returned, or
// do not exist.
struct Warp {
  std::uint32_t runnable = 0, at_barrier = 0, at_warp_sync = 0;
  std::uint32_t full = 0;  // runnable ones whose log is full: ahead of the others, until their rows are judged
  std::array<std::uint64_t*, 32> cursor{};  // of each lane's log
  [[nodiscard]] std::uint32_t with_room() const { return runnable & ~full; }
  [[nodiscard]] std::uint32_t live() const { return runnable | at_barrier | at_warp_sync; }
};

class Lanes {
  struct Lane {
    Fiber fiber = nullptr;  // nullptr: has not begun
    Uint3 thread{};
    std::uint32_t stack = 0;  // its number, once there is one
  };

 public:
  static constexpr std::uint32_t none = ~0u;

  // `thread`: each lane's threadIdx.
  Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call);

  void begin_block();
  void abandon_block();  // its lanes never go on: frees their stacks

  // The lanes of a block while another block runs on the same stacks. The stacks' contents are copied out of the window:
  // no kernel can reach them here, and guards and addresses of stacks are the same for every block.
  struct Suspended {
    std::vector<Warp> warps;
    std::vector<Lane> lanes;
    std::vector<SiteNumber> sites;
    std::vector<std::uint8_t> stacks;  // of the live lanes, from the stack pointer up
    [[nodiscard]] std::uint64_t bytes() const;
  };
  // No lane runs.
  [[nodiscard]] Suspended suspend_block();
  void resume_block(const Suspended& block);

  // Runs these lanes of a warp, each until it suspends itself or returns. Returns false if a lane
  // left, or if there is no memory for the stack of another one (`out_of_memory`): the launch ends.
  bool run(std::uint32_t warp, std::uint32_t lanes);

  [[nodiscard]] std::uint32_t running() const {  // none: the caller of run(), or no lane
    return pass_.left == 0 ? none : static_cast<std::uint32_t>(&running_lane() - lanes_.data());
  }
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  [[nodiscard]] bool has_left() const { return left_ || out_of_memory_; }  // then run() returns false
  [[nodiscard]] std::vector<Warp>& warps() { return warps_; }
  [[nodiscard]] std::uint32_t existing(std::uint32_t warp) const;  // lanes of it, as bits
  // The site at which the lane waits, or waited last.
  [[nodiscard]] SiteNumber site(std::uint32_t lane) const { return sites_[lane]; }
  [[nodiscard]] std::uint32_t stack_of(std::uint32_t lane) const { return lanes_[lane].stack; }
  [[nodiscard]] bool all_at_one_site() const;
  void show_to_debugger() const;  // where all of this lies

  // ---- on a lane's stack ----
  static void note_place() { pass_.warp->cursor[pass_.index()] = next_record; }  // before a library is called that may fail
  static void note_site(SiteNumber site) { pass_.sites[pass_.index()] = site; }  // where it is going to be suspended
  static void suspend();
  static void wait_at_barrier(SiteNumber site);
  static void wait(std::uint32_t Warp::* where, SiteNumber site);
  [[noreturn]] void leave();  // run() returns false

 private:
  // The state that lanes need to switch to each other. It belongs to the OS thread, not to an
  // object: it is then at a known address.
  struct Pass {
    std::uint32_t left = 0;                     // as bits: the lowest is the lane that runs, the others come next
    std::uint32_t at_barrier = 0, returned = 0;  // those that have come to one, or returned, in this pass
    Lane* first = nullptr;                      // of the warp
    SiteNumber* sites = nullptr;                // of its lanes
    Warp* warp = nullptr;
    Fiber caller = nullptr;
    [[nodiscard]] std::uint32_t index() const { return static_cast<std::uint32_t>(__builtin_ctz(left)); }
    [[nodiscard]] std::uint32_t bit() const { return left & (0 - left); }
  };
  static constinit thread_local Pass pass_;

  static Lane& running_lane() { return pass_.first[pass_.index()]; }
  static Fiber make_ready();
  bool map_stacks();  // false: the machine has no memory
  [[nodiscard]] std::vector<std::uint32_t> lanes_on_stacks() const;  // begun, not returned
  [[nodiscard]] std::span<std::uint8_t> stack_in_use(const Lane& lane) const;
  [[noreturn]] static void lane_begins();
  [[noreturn]] void begin();  // the lane that runs, on its own stack
  [[noreturn, gnu::used]] static void ended() asm("histolab_lane_ended");
  static void load();
  static void switch_away(Fiber* save);

  std::vector<Warp> warps_;
  std::vector<Lane> lanes_;
  std::vector<SiteNumber> sites_;  // where each lane waits, or waited last
  const Window& window_;
  KernelCall call_;
  std::uint32_t mapped_stacks_ = 0;
  std::vector<std::uint32_t> free_;  // stacks whose lanes have returned; the last one is still in the cache
  bool left_ = false, out_of_memory_ = false;
};

// ---- the switch, inlined where a lane suspends itself: a waiting lane then occupies few cache lines -------------------

// Loads the state of the lane that runs next.
[[gnu::always_inline]] inline void Lanes::load() {
  const std::uint32_t index = pass_.index();
  next_record = pass_.warp->cursor[index];
  thread_index = pass_.first[index].thread;
}

// To the next lane of the pass, or to the caller of run().
[[gnu::always_inline]] inline void Lanes::switch_away(Fiber* save) {
  note_place();
  pass_.left &= pass_.left - 1;
  if (pass_.left == 0) [[unlikely]] return switch_to(save, pass_.caller);
  Fiber next = running_lane().fiber;
  if (next == nullptr) [[unlikely]] next = make_ready();
  load();
  switch_to(save, next);
}

[[gnu::always_inline]] inline void Lanes::suspend() { switch_away(&running_lane().fiber); }

[[gnu::always_inline]] inline void Lanes::wait_at_barrier(SiteNumber site) {
  pass_.sites[pass_.index()] = site;
  pass_.at_barrier |= pass_.bit();
  suspend();
  current.wrote = false;  // all lanes are level
}

[[gnu::always_inline]] inline void Lanes::wait(std::uint32_t Warp::* where, SiteNumber site) {
  pass_.sites[pass_.index()] = site;
  pass_.warp->runnable &= ~pass_.bit();
  pass_.warp->*where |= pass_.bit();
  suspend();
}

}  // namespace histolab::kernels::emulator
