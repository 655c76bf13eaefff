// How g++ is called on a kernel, a process each. Its output goes into `folder`, which also has the
// source as `source_name`.
#pragma once

#include <ctime>
#include <string>

#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

// The name of the source in all messages of the compiler.
inline constexpr const char* source_name = "kernel.cu";
// The time that a source finds in __DATE__, __TIME__ and __TIMESTAMP__, so that each compilation is the same: 2000-01-01, in UTC.
inline constexpr std::time_t time_of_compilations = 946'684'800;
// Output files: the object; the call graph (call_graph.h); the accesses (wide_accesses.h); or, for
// arrays that may be registers, local_arrays.h.
inline constexpr const char *object_name = "kernel.o", *calls_name = "kernel.calls", *accesses_name = "kernel.accesses", *optimized_name = "kernel.optimized";

// `-E`, with the flags of a compilation and the same folders to look into: a source can tell most of them.
[[nodiscard]] ProcessSpec preprocessing(const EmulatorPaths& paths, const std::string& text, const std::string& folder, const std::string& precompiled);

// `precompiled`: a folder that precompiling() filled; empty if there is none.
[[nodiscard]] ProcessSpec compiling(const EmulatorPaths& paths, const std::string& text, const std::string& folder, const std::string& precompiled);

// Whether the compiler accepts the text; nothing is written.
[[nodiscard]] ProcessSpec checking_syntax(const EmulatorPaths& paths, const std::string& text,
                                          const std::string& folder,
                                          const std::string& precompiled);

// For a debugger: unoptimized, and with debug information that names `path`.
[[nodiscard]] ProcessSpec compiling_debugged(const EmulatorPaths& paths, const std::string& text, const std::string& folder, const std::string& path);

// Optimized only to find out which elements of arrays are used; for a source that preprocessing()
// has made.
[[nodiscard]] ProcessSpec optimizing(const EmulatorPaths& paths, const std::string& folder);

// The shim alone, as compiling() can read it faster. The folder needs a folder `histolab`.
[[nodiscard]] ProcessSpec precompiling(const EmulatorPaths& paths, const std::string& folder);

// Of g++'s warnings those that are passed on, by the option that g++ names.
[[nodiscard]] bool is_wanted_warning(const std::string& option);

}  // namespace histolab::kernels::worker
