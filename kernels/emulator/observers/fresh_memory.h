// The observers of memory that begins unset and may end: allocations of a kernel, and buffers with
// arbitrary contents.
//
// Made only for launches that have such memory. In launches that are watched in order (block_runner.h) they follow each lane's
// access as it is made: one thread may write what another has allocated, and pass it on by a lock.
#pragma once

#include <unordered_map>

#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// A read, to the byte, of global memory that no thread has written since it was handed out.
class FreshMemoryObserver final : public Observer {
 public:
  explicit FreshMemoryObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;
  void on_lane_access(const LaneAccess& access) override;

 private:
  void report(const LaneAccess& access, std::uint64_t byte);
  LaunchContext& context_;
  std::unordered_map<std::uint64_t, std::size_t> reported_;  // (region, site) -> number in the log
};

// Ends freed memory when no records from before are left to be judged.
class HeapObserver final : public Observer {
 public:
  explicit HeapObserver(LaunchContext& context) : context_(context) {}
  void on_barrier() override { context_.heap->end_what_is_freed(); }
  void on_block_end() override { context_.heap->end_what_is_freed(); }

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
