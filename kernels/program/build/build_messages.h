// Diagnostics of a program's compilations in the student's terms: names of the build, positions in
// the sources, and nothing about text that the build inserted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/program/build/build_commands.h"
#include "kernels/program/syntax/pass_text.h"
#include "kernels/worker/compiling/compiler_words.h"

namespace histolab::kernels::program {

// Returns the name by which the build names a file.
[[nodiscard]] std::string shown_name(const BuildSettings& settings, const std::string& path);

// Reads what g++ said. `text` is the compiled text if it was a pass's text, else null. Files have
// absolute names.
[[nodiscard]] std::vector<worker::FileDiagnostic> compiler_diagnostics(
    const BuildSettings& settings, const std::string& output, const PassText* text);

// Finds the CUDA headers that the compiler took from a toolkit on this machine: the shim does not
// have them.
[[nodiscard]] std::vector<worker::FileDiagnostic> foreign_headers(const BuildSettings& settings,
                                                                  std::string_view preprocessed);

// Reads what the linker said: undefined names and names that are defined twice.
[[nodiscard]] std::vector<worker::FileDiagnostic> linker_diagnostics(const BuildSettings& settings,
                                                                     const std::string& output);

// Merges the diagnostics of all passes, in the order of the build's sources: one message per
// mistake, explained in CUDA's terms.
[[nodiscard]] std::vector<worker::FileDiagnostic> merge_diagnostics(
    const BuildSettings& settings, std::vector<worker::FileDiagnostic> diagnostics);

}  // namespace histolab::kernels::program
