// Lanes: the threads of one block as fibers of one OS thread, and how they hand over to each other.
//
// A pass runs some lanes of one warp, each until it suspends itself or returns: every lane switches directly to the next
// one, the last back to the caller. Each lane has a stack, but one that returns goes on as the next lane of the pass when
// that has never run: a warp without barriers runs on one hot stack, without a switch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/fiber.h"
#include "kernels/emulator/runtime.h"
#include "kernels/emulator/window.h"

namespace histolab::kernels::emulator {

// A kernel and its arguments: addresses and words, as the System V ABI passes integers.
struct KernelCall {
  using Word = std::uint64_t;
  void (*entry)(Word, Word, Word, Word, Word, Word) = nullptr;
  std::array<Word, 6> arguments{};
  void operator()() const {
    entry(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  }
};

// The lanes of one warp, as bits by what they do: those in none of the first three have returned, or do not exist.
struct Warp {
  std::uint32_t runnable = 0, at_barrier = 0, at_warp_sync = 0;
  std::uint32_t full = 0;  // runnable ones whose log is full: ahead of the others, until their rows are judged
  std::array<std::uint64_t*, 32> cursor{};  // of each lane's log
  [[nodiscard]] std::uint32_t with_room() const { return runnable & ~full; }
  [[nodiscard]] std::uint32_t live() const { return runnable | at_barrier | at_warp_sync; }
};

class Lanes {
 public:
  static constexpr std::uint32_t none = ~0u;

  // `thread`: each lane's threadIdx.
  Lanes(const Window& window, const std::vector<Uint3>& thread, const KernelCall& call);

  void begin_block();
  // Runs these lanes of a warp, each until it suspends itself or returns. False: a lane left, or there is no memory for
  // the stack of another one (`out_of_memory`): the launch ends.
  bool run(std::uint32_t warp, std::uint32_t lanes);

  [[nodiscard]] std::uint32_t running() const {  // none: the caller of run(), or nobody
    return running_ == nullptr ? none : static_cast<std::uint32_t>(running_ - lanes_.data());
  }
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  [[nodiscard]] std::vector<Warp>& warps() { return warps_; }
  [[nodiscard]] std::uint32_t existing(std::uint32_t warp) const;  // lanes of it, as bits
  [[nodiscard]] std::uint64_t stack_top() const;                   // of the running lane
  // Where the lane waits, or waited last.
  [[nodiscard]] SiteNumber site(std::uint32_t lane) const { return lanes_[lane].site; }
  [[nodiscard]] bool all_at_one_site() const;

  // ---- on a lane's stack ----
  void suspend();
  void wait(std::uint32_t Warp::* where, SiteNumber site);
  [[noreturn]] void leave();  // run() returns false

 private:
  struct Lane {
    Fiber fiber = nullptr;  // nullptr: has not begun
    Uint3 thread{};
    SiteNumber site = 0;
    std::uint16_t stack = 0;  // its own, or that of the lane it went on after
    bool wrote = false;
  };

  static void lane_main();
  Fiber next_of_pass();
  Fiber make_ready(Lane& lane);
  void switch_away(Fiber* save);
  std::uint64_t*& cursor() { return pass_warp_->cursor[running_ - pass_first_]; }
  void load(Lane* lane);

  // Of this pass: its warp, that warp's first lane, and the lanes that come next.
  Warp* pass_warp_ = nullptr;
  Lane* pass_first_ = nullptr;
  std::uint32_t pass_lanes_ = 0;
  Lane* running_ = nullptr;
  Fiber caller_ = nullptr, nobody_ = nullptr;
  std::vector<Warp> warps_;
  std::vector<Lane> lanes_;

  const Window& window_;
  KernelCall call_;
  std::uint32_t mapped_stacks_ = 0;
  bool left_ = false, out_of_memory_ = false;
};

// ---- the switch, inlined where a lane suspends itself: a waiting lane then occupies few cache lines -------------------

[[gnu::always_inline]] inline void Lanes::load(Lane* lane) {
  running_ = lane;
  current.cursor = cursor();
  current.wrote = lane->wrote;
  thread_index = lane->thread;
}

// The next lane of the pass, ready to be switched to. nullptr: there is none.
[[gnu::always_inline]] inline Fiber Lanes::next_of_pass() {
  if (pass_lanes_ == 0) [[unlikely]] return nullptr;
  Lane* lane = pass_first_ + __builtin_ctz(pass_lanes_);
  pass_lanes_ &= pass_lanes_ - 1;
  if (lane->fiber == nullptr) [[unlikely]] lane->fiber = make_ready(*lane);
  load(lane);
  return lane->fiber;
}

[[gnu::always_inline]] inline void Lanes::switch_away(Fiber* save) {
  Fiber next = next_of_pass();
  if (next == nullptr) [[unlikely]] {
    running_ = nullptr;
    next = caller_;
  }
  switch_to(save, next);
}

[[gnu::always_inline]] inline void Lanes::suspend() {
  cursor() = current.cursor;
  running_->wrote = current.wrote;
  switch_away(&running_->fiber);
}

[[gnu::always_inline]] inline void Lanes::wait(std::uint32_t Warp::* where, SiteNumber site) {
  const std::uint32_t bit = 1u << (running_ - pass_first_);
  running_->site = site;
  pass_warp_->runnable &= ~bit;
  pass_warp_->*where |= bit;
  suspend();
}

}  // namespace histolab::kernels::emulator
