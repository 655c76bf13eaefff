// The view of a launch for a debugger: the positions of its threads, its variables, its findings.
//
// The worker has no debug information of its own, so the debugger's script (grader/gdb) reads this one object by its name: a
// row of 64-bit numbers and addresses, in the order below. It points into the runner's own tables, so that to be looked at
// costs a launch nothing while it runs. The script puts a breakpoint on histolab_debug_event(), which says that
// something happened. Only launches with Options::debugged call it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

class Window;

// Of the launch's variables. Names end with a zero.
struct DebugRegion {
  std::uint64_t name = 0, begin = 0, bytes = 0, element_bytes = 0, role = 0;  // role: Region::Role
};

struct DebugView {
  std::uint64_t version = 1;
  std::uint64_t text = 0;                         // where the module's code begins: a site is the low 16 bits behind it
  std::uint64_t kernel = 0, kernel_bytes = 0;     // the kernel's own code in it
  std::uint64_t grid[3] = {}, block[3] = {};      // the launch's shape
  std::uint64_t running_block = 0;                // address of its linear index, 32 bits
  std::uint64_t lanes = 0, lane_bytes = 0;        // of the block's threads; each begins with its stack pointer, 0: none. 0: no launch runs
  std::uint64_t warps = 0, warp_bytes = 0;        // each begins with runnable, at_barrier, at_warp_sync: bits, 32 each
  std::uint64_t sites = 0;                        // 16 bits for each thread: where it was suspended
  std::uint64_t pass = 0;                         // left, at_barrier, returned: bits, 32 each; then, aligned, its first lane
  // Addresses of threadIdx (of who runs), blockIdx, blockDim, gridDim: three times 32 bits each.
  std::uint64_t thread_index = 0, block_index = 0, block_dim = 0, grid_dim = 0;
  std::uint64_t entry_site = 0, exit_site = 0;    // of a thread before its first line, behind its last one; all bits set: none
  std::uint64_t regions = 0, region_count = 0;    // DebugRegion
  // The finding that the event is about.
  std::uint64_t kind = 0, message = 0;            // text
  std::uint64_t is_error = 0, line = 0, other_line = 0;
  std::uint64_t finding_block = 0, finding_thread = 0;  // linear; all bits set: it is about none
};

enum class DebugEvent : std::uint64_t { block_begins = 1, finding = 2 };

extern "C" {
extern DebugView histolab_debug_view;
void histolab_debug_event(DebugEvent event);
}

// Fills in the view's regions, which stay as long as this lives.
class DebugRegions {
 public:
  explicit DebugRegions(const Window& window);
  ~DebugRegions();
  DebugRegions(const DebugRegions&) = delete;
  DebugRegions& operator=(const DebugRegions&) = delete;

 private:
  std::vector<DebugRegion> regions_;
};

// Shows a finding, and says so.
void show_to_debugger(const Finding& finding);

}  // namespace histolab::kernels::emulator
