// Command lines of g++ for a kernel, one process each. Output goes into `folder`, which also
// contains the source as `source_name`. `precompiled` is a folder filled by precompiling(), or
// empty.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

// Name of the source in all compiler messages.
inline constexpr const char* source_name = "kernel.cu";
// Value of __DATE__, __TIME__ and __TIMESTAMP__ (2000-01-01, UTC), so that compilations are
// repeatable.
inline constexpr std::time_t time_of_compilations = 946'684'800;
// Output files: the object; the call graph (call_graph.h); the accesses (wide_accesses.h); the
// optimized dump for local_arrays.h.
inline constexpr const char *object_name = "kernel.o", *calls_name = "kernel.calls",
                            *accesses_name = "kernel.accesses",
                            *optimized_name = "kernel.optimized";

// Flags of every compilation for the emulator, for the source and the shim.
[[nodiscard]] std::vector<std::string> kernel_flags(const EmulatorPaths& paths);

// Added to kernel_flags() to compile for a debugger: of contradictory options the last one counts.
[[nodiscard]] std::vector<std::string> debugger_flags(const EmulatorPaths& paths);

// Options for the warnings that are passed on.
[[nodiscard]] std::vector<std::string> wanted_warnings();

// A confined process for a compiler's command, with the limits of a compilation. `precompiled` is
// one more folder that it may read, or empty.
[[nodiscard]] ProcessSpec compiler_process(const EmulatorPaths& paths,
                                           std::vector<std::string> command,
                                           const std::string& folder,
                                           const std::string& precompiled = {});

// Runs -E with the flags and folders of a compilation, because a source can detect most of them.
[[nodiscard]] ProcessSpec preprocessing(const EmulatorPaths& paths, const std::string& text,
                                        const std::string& folder, const std::string& precompiled);

// Compiles the text to an object and dumps.
[[nodiscard]] ProcessSpec compiling(const EmulatorPaths& paths, const std::string& text,
                                    const std::string& folder, const std::string& precompiled);

// Only checks whether the compiler accepts the text; writes no output.
[[nodiscard]] ProcessSpec checking_syntax(const EmulatorPaths& paths, const std::string& text,
                                          const std::string& folder,
                                          const std::string& precompiled);

// Compiles without optimization for a debugger; the debug information names `path`.
[[nodiscard]] ProcessSpec compiling_debugged(const EmulatorPaths& paths, const std::string& text,
                                             const std::string& folder, const std::string& path);

// Optimizes only to find the array elements that are used. The source must be output of
// preprocessing().
[[nodiscard]] ProcessSpec optimizing(const EmulatorPaths& paths, const std::string& folder);

// Precompiles the shim, which makes compiling() faster. `folder` must contain a folder `histolab`.
[[nodiscard]] ProcessSpec precompiling(const EmulatorPaths& paths, const std::string& folder);

// Returns whether warnings with this g++ option name are passed on.
[[nodiscard]] bool is_wanted_warning(const std::string& option);

}  // namespace histolab::kernels::worker
