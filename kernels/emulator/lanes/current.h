// Current: the state that the running lane uses, one per OS thread that runs blocks.
//
// The runtime's functions, which the kernel calls, know the launch only through it.
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
  bool stepping = false;
  bool watched = false;  // step by step: shows or announces, or is debugged
  bool debugged = false;  // lanes say where they pause
  bool cooperative = false;  // the launch: all blocks are resident
  bool entering = false;  // debugged: lanes pause when they have come into the kernel
  bool wrote = false;  // the next read is the first after a write; kept by who suspends the lane
  bool shows = false;      // each access is shown as it is made
  bool announces = false;  // lanes pause before every access and say in `next` what it is
  NextAccess next;         // of the lane that paused last
  // Reports that the log of the lane does not have, or not as one record: the last range that was
  // read and the last one written, and the record that filled the log.
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
