// Module: a compiled kernel, placed in the window and ready to be called.
//
// The object file that g++ made of the student's source is loaded as it is, without a linker. That
// takes a fraction of a millisecond, runs no constructor, and lets us choose every variable's
// address. Only the parts that the kernel can reach are loaded: text at the window's begin, each
// `__device__` variable and each `__shared__` array apart from the next with a red zone between.
// Undefined symbols are bound to the runtime's table (runtime.h) and to nothing else, so an object
// that needs anything of the host is refused by name.
//
// The object is untrusted: every offset in it is checked, and a malformed one is an Error. Its code
// is untrusted too: an access that is not proved to stay in the window gets a check
// (confined_code.h). Under a debugger there are no checks: that code is not optimized, and it is
// not graded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/code/control_flow.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/debugger/debugger_image.h"
#include "kernels/emulator/module/mergeable_update.h"
#include "kernels/emulator/code/site.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// An access that the compiler reports as a range of bytes though the source means one of so many
// (worker/wide_accesses.h).
struct WideAccess {
  int line = 0;
  std::uint8_t bytes = 0;  // 2, 4, 8 or 16
};

struct ModuleOptions {
  bool stepping = false;                  // bind the callbacks of the stepping schedules
  std::uint32_t dynamic_shared_bytes = 0;
  bool name_variables = false;  // fill `variables`
  bool in_order = false;        // bind callbacks that show each access as it is made, also when there is no fence
  bool shows = false;           // the same, but not for the sake of order
  bool debugged = false;        // a debugger is told of it, as long as the module is there
  bool never_runs = false;      // it is only looked at
  std::vector<WideAccess> wide_accesses{};
  std::vector<int> local_lines{};  // with accesses to local arrays that a GPU keeps in memory
};

struct UsedVariable {
  std::string name;  // without namespaces
  int line = 0;      // of its first use
};

class Module {
 public:
  // Mistakes of the kernel itself are in `diagnostics` (then `entry` is null); an Error is a
  // malformed object.
  static Result<Module> load(std::span<const std::uint8_t> object, const KernelSignature& signature, Window& window,
                             const ModuleOptions& options);

  std::vector<Diagnostic> diagnostics;
  const void* entry = nullptr;
  std::map<std::string, std::uint32_t> exports;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t constants_end = 0;  // an address: in the window before it lie text and constants, and nothing that may change
  bool has_compare_and_swap = false, has_warp_sync = false, has_fence = false, allocates = false;
  bool is_cooperative = false;  // calls grid_group::sync(): all blocks of a launch must be resident
  // Do only variables and buffers pass from one block to the next? A clock, a heap and printed
  // output pass too. A kernel that calls the runtime by an address may do anything, since no site
  // shows it.
  bool blocks_are_apart = true;
  bool is_shallow = false;  // all of its code is (access_proof.h)
  std::map<SiteNumber, MergeableUpdate> mergeable_updates;  // the atomic operations that are such
  bool in_order = false;  // accesses are shown in the order in which they are made: the kernel has a fence or allocates, or the options say so
  bool shows = false;     // accesses are shown as they are made: in order, or the options say so
  std::uint32_t max_threads_per_block = 0;  // promised by __launch_bounds__; 0: nothing was
  std::vector<UsedVariable> variables;     // of the file, whose place in memory the kernel uses
  std::unique_ptr<SiteTable> sites;
  std::vector<SiteNumber> calls;  // those of the runtime's functions, in rising order
  std::vector<SiteNumber> barriers;  // those among them of __syncthreads() and its variants
  ControlFlow flow;
  // The kernel's code, in the window. It excludes jumps to the runtime, if that is far away: taken
  // for a function of the kernel's, such a jump would lead back to behind each of its calls.
  std::span<const std::uint8_t> text;
  std::unique_ptr<DebuggerImage> debugger_image;  // where one is told
  SourcePlaces places;  // of its text

  // Line of the student's file for an address in the text; 0 elsewhere.
  [[nodiscard]] int line_of(std::uint64_t instruction, const Window& window) const {
    const std::uint64_t offset = instruction - window.begin();
    return offset < places.of.size() ? places.of[offset].line : 0;
  }
};

}  // namespace histolab::kernels::emulator
