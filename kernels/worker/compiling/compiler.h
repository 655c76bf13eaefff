// Compiles CUDA kernels for the emulator with the system's g++. The flags keep every access that
// the source makes. g++ runs as a child with limits, on a copy of the source, in a temporary
// folder. See docs/emulator.md, "Compiling".
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
  std::vector<Diagnostic> diagnostics;  // also warnings
  std::optional<Buffer> object;         // nullopt if there are errors
  std::string call_graph;               // input of call_graph.h
  std::vector<emulator::WideAccess> wide_accesses;
  // An index is computed before loops are unrolled, so local arrays may need memory.
  bool indexes_arrays = false;
};

// If `debugged_path` is not empty, compiles for a debugger: nothing is optimized, so that each
// local variable exists from its line on, and the debug information names that file. Accesses are
// instrumented as usual, also those to local arrays.
//
// Returns an Error if the machine has no compiler or cannot run it. That is decided by facts: a
// system call failed, the disk is full, or a known good kernel does not compile either. The
// compiler's output about `text` does not decide, because a source can make it print any line.
[[nodiscard]] Result<CompilerOutput> compile_for_emulator(const std::string& text,
                                                          const EmulatorPaths& paths,
                                                          const std::string& debugged_path = {});

// Returns g++'s dump of `text` with every loop of constant length unrolled (input of
// local_arrays.h). Empty if the source does not compile or the dump is too large. Macros are
// expanded as for the emulator, so a source cannot detect this mode. Returns an Error as above.
[[nodiscard]] Result<std::string> optimize_for_registers(const std::string& text,
                                                         const EmulatorPaths& paths);

// Returns the output of g++ -E for `text`, cut to this many bytes. Its diagnostics are ignored; the
// compiler reports them again. Returns an Error as above.
inline constexpr std::size_t most_preprocessed_bytes = 8 << 20;
struct Preprocessed {
  std::string text;
  bool is_whole = false;  // g++ finished without an error
};
[[nodiscard]] Result<Preprocessed> preprocess_for_emulator(const std::string& text,
                                                           const EmulatorPaths& paths);

// Returns whether g++ considers the global variable of this name a four-byte integer. The source
// must compile. Returns an Error as above.
[[nodiscard]] Result<bool> is_integer_variable(const std::string& text, const std::string& name,
                                               const EmulatorPaths& paths);

// Returns the version of this machine's g++, such as "12.2.0". Empty if it does not start.
[[nodiscard]] std::string compiler_version();

}  // namespace histolab::kernels::worker
