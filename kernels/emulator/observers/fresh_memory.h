// Observers of memory that begins unset: allocations of a kernel, and buffers with arbitrary
// contents. Only for launches with such memory.
#pragma once

#include <unordered_map>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/memory/device_heap.h"

namespace histolab::kernels::emulator {

// Reports reads of global memory that no thread has written since it was handed out. Exact to the
// byte. In launches that are `in_order` it sees each lane's access when it is made: a thread may
// write memory that another one has allocated, and pass it on by a lock.
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

// Ends the life of freed memory at barriers and ends of blocks: no earlier records are left to be
// judged.
class HeapObserver final : public Observer {
 public:
  explicit HeapObserver(LaunchContext& context) : context_(context) {}
  void on_barrier() override { context_.heap->end_what_is_freed(); }
  void on_block_end() override { context_.heap->end_what_is_freed(); }

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
