// Observer: watches a launch and turns it into counters and findings, as data.
//
// An observer sees one WarpAccess per warp-level memory instruction, after its lanes have been grouped, and one call per
// barrier, warp synchronization and block. At a grid barrier each block has its on_barrier(), then on_block_suspend();
// when all blocks have, on_grid_barrier() follows; then each block continues with on_block_resume(). In the order interleaved a
// block may have on_block_suspend() anywhere. An observer never
// prints and never changes the kernel's behaviour. To add one: a file in observers/, and one line in observers/all.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/launch/word_groups.h"

namespace histolab::kernels::emulator {

// All active lanes lie inside one region. Inactive lanes repeat an active lane's offset.
struct WarpAccess {
  WarpAccess(SiteNumber number, const Site& of_site, std::uint32_t in_warp, std::uint32_t lanes)
      : site(number), kind(of_site.kind), bytes(of_site.bytes), warp(in_warp), active(lanes) {}

  SiteNumber site;
  AccessKind kind;
  std::uint8_t bytes;  // of one lane
  std::uint32_t warp;  // in the block
  std::uint32_t active;
  const Region* region = nullptr;
  std::uint32_t lowest = 0, highest = 0;  // offsets of the first byte, over the active lanes
  std::uint32_t any_bits = 0;             // OR of all offsets
  alignas(64) std::array<std::uint32_t, 32> offset;  // bytes from the region's begin, per lane

  // Which lanes share a word; worked out when first asked for.
  [[nodiscard]] const WordGroups& words() const {
    if (groups_.count == 0) groups_ = group_by_word(offset, active, lowest, highest);
    return groups_;
  }
  void forget_words() { groups_.count = 0; }

 private:
  mutable WordGroups groups_;
};

// One lane's access outside every region.
struct StrayAccess {
  SiteNumber site = 0;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;
  std::uint32_t lane = 0;  // in the block
  std::uint64_t address = 0;
};

// One lane's access, just before it happens.
struct LaneAccess {
  SiteNumber site = 0;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;
  bool is_volatile = false;  // a store's
  bool updates = true;       // an atomic operation's: false if it changes nothing, like a failed swap
  std::uint32_t lane = 0;    // in the block
  const Region* region = nullptr;
  std::uint32_t offset = 0;
  bool belongs_to_last = false;  // another piece of the access shown before; both happen after this call
  bool is_early = false;         // a store that is made only after on_due_store()
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_block_begin() {}
  virtual void on_access(const WarpAccess&) {}
  virtual void on_local_access(const WarpAccess&) {}  // to the thread's own stack
  virtual void on_stray_access(const StrayAccess&) {}
  virtual void on_warp_sync(std::uint32_t /*warp*/, std::uint32_t /*mask*/) {}
  virtual void on_barrier() {}    // before the epoch changes
  virtual void on_block_suspend() {}  // keep its state: another block runs next
  virtual void on_grid_barrier() {}   // all accesses so far happen before all that follow
  virtual void on_block_resume() {}   // in place of on_block_begin()
  virtual void on_block_end() {}
  virtual void on_launch_end() {}  // after the last access, however the launch ended
  // In launches that are `in_order` or record steps, in addition to on_access. Rows are judged late, and the order of accesses
  // is lost by then. No other lane runs between this call and the access.
  virtual void on_lane_access(const LaneAccess&) {}
  virtual void on_fence(std::uint32_t /*lane*/, Scope) {}
  // The lane is about to make the last store shown that was early. If the next access is of the same
  // lane, it comes first.
  virtual void on_due_store(std::uint32_t /*lane*/) {}
  // The lane makes another access before the last store shown: the store's value is not in memory
  // yet when the next access is shown.
  virtual void on_interrupted_store(std::uint32_t /*lane*/) {}
};

// Calls `f(lane in the warp)` for each set bit.
template <class F>
void for_each_lane(std::uint32_t active, F&& f) {
  for (; active != 0; active &= active - 1) f(static_cast<std::uint32_t>(__builtin_ctz(active)));
}

// Makes the observers selected by `which`, in a fixed order.
[[nodiscard]] std::vector<std::unique_ptr<Observer>> make_observers(const Observers& which, LaunchContext& context);

}  // namespace histolab::kernels::emulator
