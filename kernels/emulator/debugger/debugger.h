// DebugView: a launch as a debugger sees it: its threads, variables and findings.
//
// The debugger's script (grader/gdb) finds the object by its name and reads it as an array of
// 64-bit words. See docs/emulator.md, "The debugger's view".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

class Window;

// A variable of the launch. `name` is the address of a zero-terminated string.
struct DebugRegion {
  std::uint64_t name = 0, begin = 0, bytes = 0, element_bytes = 0, role = 0;  // role: Region::Role
};

struct DebugView {
  std::uint64_t version = 2;
  std::uint64_t text = 0;                      // address of the module's code
  std::uint64_t kernel = 0, kernel_bytes = 0;  // address and size of the kernel's own code
  std::uint64_t grid[3] = {}, block[3] = {};   // the launch's shape
  std::uint64_t running_block = 0;             // address of its linear index, 32 bits
  // Address of the array of the block's threads, 0 if no launch runs. Each element begins with the
  // thread's stack pointer, which is null if the thread has not begun.
  std::uint64_t lanes = 0, lane_bytes = 0;
  // Address of the array of warps. Each begins with runnable, at_barrier and at_warp_sync: three
  // words of 32 bits, one bit per lane.
  std::uint64_t warps = 0, warp_bytes = 0;
  std::uint64_t sites = 0;  // address of 16 bits per thread: its latest site
  // Address of the current pass: left, at_barrier and returned, 32 bits each, one bit per lane. At
  // offset 16 follows the address of its first lane.
  std::uint64_t pass = 0;
  // Addresses of threadIdx (of the running thread), blockIdx, blockDim and gridDim: three words of
  // 32 bits each.
  std::uint64_t thread_index = 0, block_index = 0, block_dim = 0, grid_dim = 0;
  // Sites of a thread before its first line and behind its last line. All bits are set if unknown.
  std::uint64_t entry_site = 0, exit_site = 0;
  std::uint64_t regions = 0, region_count = 0;  // address of an array of DebugRegion
  // The finding that the event is about.
  std::uint64_t kind = 0, message = 0;  // addresses of zero-terminated strings
  std::uint64_t is_error = 0, line = 0, other_line = 0;
  // Linear indices. All bits are set if the finding names no thread.
  std::uint64_t finding_block = 0, finding_thread = 0;
  // Addresses of zero-terminated strings: the files of `line` and `other_line`. Empty for the
  // student's one file.
  std::uint64_t file = 0, other_file = 0;
};

enum class DebugEvent : std::uint64_t { block_begins = 1, finding = 2 };

extern "C" {
extern DebugView histolab_debug_view;
void histolab_debug_event(DebugEvent event);
}

// Sets the regions of the view. They are removed when this object is destroyed.
class DebugRegions {
 public:
  explicit DebugRegions(const Window& window);
  ~DebugRegions();
  DebugRegions(const DebugRegions&) = delete;
  DebugRegions& operator=(const DebugRegions&) = delete;

 private:
  std::vector<DebugRegion> regions_;
};

// Puts a finding into the view and raises the event.
void show_to_debugger(const Finding& finding);

}  // namespace histolab::kernels::emulator
