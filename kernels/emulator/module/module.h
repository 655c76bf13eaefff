// Module: a compiled kernel, placed in the window and ready to be called.
//
// It is loaded from g++'s object file without a linker, in steps: ObjectFile, KernelParts,
// Placement, Links, KernelSites. Both the file and its code are untrusted.
// See docs/emulator.md, "Loading".
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
#include "kernels/emulator/code/site.h"
#include "kernels/emulator/debugger/debugger_image.h"
#include "kernels/emulator/memory/window.h"
#include "kernels/emulator/module/placement.h"
#include "kernels/emulator/module/used_variables.h"

namespace histolab::kernels::emulator {

struct ModuleOptions {
  std::uint32_t dynamic_shared_bytes = 0;
  bool name_variables = false;  // fill `variables`
  // Accesses are shown as they are made, even if the kernel calls no fence.
  bool in_order = false;
  bool shows = false;       // the same, but without setting Module::in_order
  bool debugged = false;    // announce the module to a debugger as long as it exists
  bool never_runs = false;  // the module is only inspected
  std::vector<WideAccess> wide_accesses{};
  std::vector<int> local_lines{};  // lines with accesses to local arrays that a GPU keeps in memory
  std::span<const std::string> library_folders{};  // see source_places()
  KeptVariables kept{};                            // a program's variables
};

class Module {
 public:
  // Loads the kernel into the window. Mistakes in the kernel and malformed objects are reported in
  // `diagnostics`, and `entry` is null then. Returns an Error if the machine fails.
  static Result<Module> load(std::span<const std::uint8_t> object, const KernelSignature& signature,
                             Window& window, const ModuleOptions& options);

  std::vector<Diagnostic> diagnostics;
  const void* entry = nullptr;
  std::map<std::string, std::uint32_t> exports;
  std::uint64_t static_shared_bytes = 0;
  // Address of the end of text and constants, which begin at the window's begin.
  std::uint64_t constants_end = 0;
  bool has_compare_and_swap = false, has_warp_sync = false, has_fence = false, allocates = false;
  bool is_cooperative = false;  // calls grid_group::sync(): all blocks of a launch must be resident
  bool is_shallow = false;      // AccessProof::is_shallow for all of its code
  // Accesses are shown in the order in which they are made: the kernel calls a fence or allocates,
  // or ModuleOptions::in_order is set.
  bool in_order = false;
  bool shows = false;  // accesses are shown as they are made: `in_order` or ModuleOptions::shows
  std::uint32_t max_threads_per_block = 0;  // from __launch_bounds__; 0 if not declared
  std::vector<UsedVariable> variables;      // variables at file scope whose memory the kernel uses
  std::unique_ptr<SiteTable> sites;
  std::vector<SiteNumber> calls;     // sites of calls of the runtime and of checks, ascending
  std::vector<SiteNumber> barriers;  // those of __syncthreads() and its variants
  ControlFlow flow;
  // The kernel's code, in the window. Stubs that jump to a distant runtime are not included.
  // Otherwise a stub would count as a function of the kernel that returns behind each of its calls.
  std::span<const std::uint8_t> text;
  std::unique_ptr<DebuggerImage> debugger_image;  // null without a debugger
  SourcePlaces places;                            // source positions of the text

  // Returns the line in the student's files for an address in the text, or 0.
  [[nodiscard]] int line_of(std::uint64_t instruction, const Window& window) const {
    return places.line_at(instruction - window.begin());
  }
};

}  // namespace histolab::kernels::emulator
