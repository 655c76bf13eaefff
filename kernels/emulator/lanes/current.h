// Current: the state that the running lane uses, one per OS thread that runs blocks.
//
// The kernel calls the runtime's functions. They reach the launch only through this state.
#pragma once

#include <cstdint>

#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

class BlockRunner;
class Lanes;

// The next access of a lane that pauses.
struct NextAccess {
  std::uint64_t address = 0;
  bool reads = false, writes = false;  // an atomic operation does both
};

struct Current {
  std::uint64_t window_begin = 0, window_size = 0;
  BlockRunner* runner = nullptr;
  Lanes* lanes = nullptr;
  SiteTable* sites = nullptr;
  // Lanes pause before writes, and before the first read after one.
  bool stepping = false;
  // Callbacks take their slow path: `shows`, `announces` or `debugged` is true, or `skipped` is not
  // 0.
  bool slow = false;
  // Nothing observes the launch, and the order of its threads does not matter: each time a lane
  // runs, it does not record its first accesses, this many. `left_to_skip`: of the running lane.
  std::uint32_t skipped = 0, left_to_skip = 0;
  // Lanes note the site at which they pause.
  bool debugged = false;
  // All blocks of the launch are resident.
  bool cooperative = false;
  // Debugged launches only: lanes pause right after they have entered the kernel.
  bool entering = false;
  // The next read is the first one after a write. The code that suspends the lane must keep it.
  bool wrote = false;
  // Each access is shown to the runner when it is made.
  bool shows = false;
  // Lanes pause before every access and describe it in `next`.
  bool announces = false;
  NextAccess next;  // next access of the lane that paused last
  // Reports that are not in the lane's log, or not as one record: the last range that was read, the
  // last range that was written, and the record that filled the log.
  struct Report {
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t lane = 0;
  };
  struct Reports {
    Report last_range[2], filled_log;
  };
  Reports reports;
};
extern constinit thread_local Current current;

}  // namespace histolab::kernels::emulator
