// The observers of memory that begins unset and may end: what a kernel allocates, and buffers handed out as they come.
//
// Made only for launches that have such memory.
#pragma once

#include <unordered_map>

#include "kernels/emulator/device_heap.h"
#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator {

// A read, to the byte, of global memory that nobody has written since it was handed out.
class FreshMemoryObserver final : public Observer {
 public:
  explicit FreshMemoryObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  void report(const WarpAccess& access, std::uint32_t lane, std::uint64_t byte);
  LaunchContext& context_;
  std::unordered_map<std::uint64_t, std::size_t> reported_;  // (region, site) -> number in the log
};

// Ends what was freed, when its turn comes. The last one to see an access.
class HeapObserver final : public Observer {
 public:
  explicit HeapObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override {
    if (access.kind == AccessKind::release) context_.heap->end(*access.region);
  }

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
