// The runtime that a kernel's object file is bound to: the compiler's access callbacks, and the device functions that
// the shim declares.
//
// Every callback appends one record to the log of the lane that runs (see block_runner.h, "Theory of operation") before
// the access is made. The loader asks this table for each undefined symbol and learns, from the same entry, what kind of
// access a call to it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "kernels/emulator/lane_registers.h"
#include "kernels/emulator/site.h"

namespace histolab::kernels::emulator {

class BlockRunner;
class Lanes;

struct RuntimeFunction {
  const void* address = nullptr;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;     // 0: it does not access the kernel's memory, or says the width by itself
  // 1 for memset, which writes; 2 for memcpy, which reads another range first. They take any
  // length. Each range has two sites, on the last bytes of the call in the order of access: one for
  // its words and one for the bytes that are left.
  std::uint8_t ranges = 0;
  Scope scope = Scope::device;    // of an atomic operation
  bool is_volatile = false;       // a store's
};

template <class F>
[[nodiscard]] const void* address_of(F* function) {
  return reinterpret_cast<const void*>(function);
}

using RuntimeTable = std::unordered_map<std::string_view, RuntimeFunction>;
void add_callbacks(RuntimeTable& table, bool stepping);  // what the compiler calls (runtime_callbacks.cpp)
void add_atomics(RuntimeTable& table, bool stepping);    // runtime_atomics.cpp
void add_warp_functions(RuntimeTable& table);            // shuffles, votes and their kin (runtime_warps.cpp)

// `stepping`: lanes pause before each write, so that the schedule decides which goes first; or each
// access is shown to the observers as it is made (Current has the mode).
[[nodiscard]] std::optional<RuntimeFunction> runtime_function(std::string_view symbol, bool stepping);

// Returns whether the kernel orders memory by it, so that the order of accesses matters. Then
// observers must see accesses in the order in which they are made.
[[nodiscard]] bool is_fence(std::string_view symbol);

// Waits for all threads of the grid. A kernel that calls it is launched cooperatively.
inline constexpr std::string_view grid_barrier_symbol = "histolab_grid_sync";

// Offset from the thread pointer of a built-in variable (threadIdx, ...), for the thread that calls.
[[nodiscard]] std::optional<std::int64_t> runtime_variable(std::string_view symbol);

struct Uint3 {
  std::uint32_t x, y, z;
};

// The next access of a lane that pauses.
struct NextAccess {
  std::uint64_t address = 0;
  bool reads = false, writes = false;  // an atomic operation does both
};

// The state that the running lane uses. One per OS thread that runs blocks.
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

// The values of threadIdx and similar variables, in the calling OS thread.
extern constinit thread_local Uint3 thread_index;
[[nodiscard]] bool is_runtime_variable(std::uint64_t address, std::uint64_t bytes);  // of the calling OS thread
void set_block_index(Uint3 block);
void set_shape(Uint3 grid, Uint3 block);

}  // namespace histolab::kernels::emulator
