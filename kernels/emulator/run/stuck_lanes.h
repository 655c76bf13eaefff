// Stuck lanes: the actions of a warp's lanes while they are watched, and the finding if all lanes
// of a block wait. See docs/emulator.md, "Stuck blocks".
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/lanes/warp_log.h"

namespace histolab::kernels::emulator {

// The actions of a warp's lanes since it was made. Lanes are bits.
class WatchedWarp {
 public:
  WatchedWarp() = default;
  // `lanes`: those that can run.
  explicit WatchedWarp(std::uint32_t lanes) : lanes_(lanes) {}
  // Notes the accesses in the warp's log.
  void note(const SiteTable& sites, const Warp& lanes, const WarpLog& log);
  // `runnable`: the lanes that can still run.
  void end(std::uint32_t runnable) { left_ = lanes_ & ~runnable; }
  void note_change() { changed_ = true; }

  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  // Returns true if all lanes polled, and memory did not change.
  [[nodiscard]] bool all_wait() const {
    return lanes_ != 0 && asked_ == lanes_ && stored_ == 0 && left_ == 0 && !changed_;
  }
  // Returns the lane's last record of an atomic operation or a volatile read.
  [[nodiscard]] std::uint64_t question(std::uint32_t lane) const { return question_[lane]; }

 private:
  std::uint32_t lanes_ = 0;
  std::uint32_t asked_ = 0;   // lanes that made atomic operations or volatile reads
  std::uint32_t stored_ = 0;  // lanes that stored
  std::uint32_t left_ = 0;    // lanes that stopped running
  bool changed_ = false;      // memory has changed
  std::array<std::uint64_t, 32> question_{};
};

// Returns the finding for a block all of whose lanes wait. `lane`: the lane that has used up its
// budget. `question`: its last record of an atomic operation or a volatile read.
[[nodiscard]] Finding deadlock_finding(const LaunchContext& context, const Lanes& lanes,
                                       std::uint32_t lane, std::uint64_t question);

}  // namespace histolab::kernels::emulator
