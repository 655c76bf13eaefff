// Observer: watches a launch and turns it into counters and findings, as data.
//
// An observer never prints, and never changes the kernel's behaviour. To add one, add a file to
// observers/ and a line to observers/all.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/launch/word_groups.h"

namespace histolab::kernels::emulator {

// A warp-level access: one instruction of a warp. All active lanes access one region. Inactive
// lanes repeat an active lane's offset.
struct WarpAccess {
  WarpAccess(SiteNumber number, const Site& of_site, std::uint32_t in_warp, std::uint32_t lanes)
      : site(number), kind(of_site.kind), bytes(of_site.bytes), warp(in_warp), active(lanes) {}

  SiteNumber site;
  AccessKind kind;
  std::uint8_t bytes;    // per lane
  std::uint32_t warp;    // number in the block
  std::uint32_t active;  // lanes, as bits
  const Region* region = nullptr;
  std::uint32_t lowest = 0, highest = 0;             // bounds of the active lanes' offsets
  std::uint32_t any_bits = 0;                        // OR of all offsets.
  alignas(64) std::array<std::uint32_t, 32> offset;  // per lane, in bytes from the region's begin

  // Returns the lanes grouped by word. Computed at the first call.
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
  std::uint32_t lane = 0;  // number in the block
  std::uint64_t address = 0;
};

// One lane's access, just before it is made.
struct LaneAccess {
  SiteNumber site = 0;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;
  bool is_volatile = false;  // for stores only
  // For atomic operations: false if the operation changes nothing, as a failed compare-and-swap.
  bool updates = true;
  std::uint32_t lane = 0;  // number in the block
  const Region* region = nullptr;
  std::uint32_t offset = 0;  // in bytes from the region's begin
  // This is another piece of the access shown before. Both are made after this call.
  bool belongs_to_last = false;
  // This store is made only after on_due_store().
  bool is_early = false;
};

// An observer sees one WarpAccess per warp-level memory instruction, after its lanes have been
// grouped, and one call per barrier, warp synchronization and block. At a grid barrier each block
// has on_barrier() and then on_block_suspend(). When all blocks wait, on_grid_barrier() follows.
// Then each block continues with on_block_resume(). In the block order `interleaved`,
// on_block_suspend() may come at any time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_block_begin() {}
  virtual void on_access(const WarpAccess&) {}
  virtual void on_local_access(const WarpAccess&) {}  // an access to the thread's own stack.
  virtual void on_stray_access(const StrayAccess&) {}
  virtual void on_warp_sync(std::uint32_t /*warp*/, std::uint32_t /*mask*/) {}
  virtual void on_barrier() {}  // comes before the epoch changes.
  // The observer must keep the block's state, because another block runs next.
  virtual void on_block_suspend() {}
  // All accesses so far happen before all that follow.
  virtual void on_grid_barrier() {}
  virtual void on_block_resume() {}  // replaces on_block_begin().
  virtual void on_block_end() {}
  virtual void on_launch_end() {}  // comes after the last access, also if the launch ended early.
  // Comes in addition to on_access, in launches that are `in_order` or record steps: rows are
  // judged later, and the order of their accesses is then unknown. No other lane runs between this
  // call and the access.
  virtual void on_lane_access(const LaneAccess&) {}
  virtual void on_fence(std::uint32_t /*lane*/, Scope) {}
  // The lane is about to make the last early store that was shown. If the lane makes another access
  // next, this call comes before that access is shown.
  virtual void on_due_store(std::uint32_t /*lane*/) {}
  // The lane makes another access before the last store that was shown. So the store's value is not
  // in memory yet when the next access is shown.
  virtual void on_interrupted_store(std::uint32_t /*lane*/) {}
};

// Calls `f(lane in the warp)` for each set bit.
template <class F>
void for_each_lane(std::uint32_t active, F&& f) {
  for (; active != 0; active &= active - 1) f(static_cast<std::uint32_t>(__builtin_ctz(active)));
}

// Makes the observers selected by `which`, in a fixed order.
[[nodiscard]] std::vector<std::unique_ptr<Observer>> make_observers(const Observers& which,
                                                                    LaunchContext& context);

}  // namespace histolab::kernels::emulator
