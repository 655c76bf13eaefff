// Traffic: what each warp-level access costs the memory system.
//
// Global memory: requests, 32-byte sectors, bytes. Shared memory: wavefronts over 32 four-byte banks (lanes on one word
// share a wavefront; accesses of 8 and 16 bytes go half and quarter warp by half and quarter warp), bank conflicts as the
// wavefronts beyond those. Atomics: updates, and the largest number of lanes on one address.
#pragma once

#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator {

class TrafficObserver final : public Observer {
 public:
  explicit TrafficObserver(LaunchContext& context);
  void on_access(const WarpAccess& access) override;
  void on_barrier() override;

 private:
  void count_global(const WarpAccess& access);
  void count_shared(const WarpAccess& access);

  reference::Counters& counters_;
  const std::uint64_t warps_per_block_;
};

}  // namespace histolab::kernels::emulator
