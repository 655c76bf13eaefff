// The system's g++, as a compiler of CUDA kernels for the emulator.
//
// The flags keep every access that the source makes: no optimization that hoists, sinks, merges or
// drops loads and stores may run before the instrumentation. (Measured: with these flags, every
// access of twenty small functions is counted as written; with -O2 none of the tried sets was
// exact.) g++ runs as a child with limits, on a copy of the source, in a folder of its own that is
// removed afterwards.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/device.h"
#include "kernels/emulator/module/module.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::kernels::worker {

struct CompilerOutput {
  std::vector<Diagnostic> diagnostics;  // warnings too
  std::optional<Buffer> object;         // nullopt: there are errors
  std::string call_graph;               // see call_graph.h
  std::vector<emulator::WideAccess> wide_accesses;
  bool indexes_arrays = false;  // before loops are unrolled, so perhaps local arrays need memory
};

// For a debugger (`debugged_path` is not empty) nothing is optimized, so that each local variable
// is there from its line on, and the debug information names that file. The accesses are
// instrumented as usual, and those to local arrays too. Returns an Error if the machine has no
// compiler or cannot run it. Facts decide that: a system call failed, the disk is full, or a kernel
// of ours does not compile either. The compiler's output about `text` does not: a source can make
// it print any line.
[[nodiscard]] Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths, const std::string& debugged_path = {});

// Returns g++'s own notation of `text` with every loop of constant length unrolled
// (local_arrays.h). Empty if the source does not compile, or the result is too large. Macros are
// expanded as for the emulator: a source cannot detect this mode. Returns an Error as above.
[[nodiscard]] Result<std::string> optimize_for_registers(const std::string& text, const EmulatorPaths& paths);

// Returns the output of g++ -E for `text`; its complaints are left to the compiler. Longer output
// is cut to this many bytes.
inline constexpr std::size_t most_preprocessed_bytes = 8 << 20;
struct Preprocessed {
  std::string text;
  bool is_whole = false;  // g++ came to the end, without an error
};
[[nodiscard]] Result<Preprocessed> preprocess_for_emulator(const std::string& text,
                                                           const EmulatorPaths& paths);

// Returns whether the global variable of this name is an integer of four bytes to g++. The source has to compile.
[[nodiscard]] Result<bool> is_integer_variable(const std::string& text, const std::string& name,
                                               const EmulatorPaths& paths);

// "12.2.0", of the g++ of this machine; empty if it does not start.
[[nodiscard]] std::string compiler_version();

}  // namespace histolab::kernels::worker
