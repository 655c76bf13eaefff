// CUDA features that this version of the emulator lacks. They get messages of their own, because
// the student's code may be correct. A function or type counts as missing if the compiler does not
// know it, a header if it is not in the shim's folder. So a feature that is added there is no
// longer reported.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {

// CUDA's headers that the text includes and the emulator does not have, and inline assembly; one
// error each. It is asked before the compiler, which may find such a header in a CUDA toolkit's
// folder on one machine and not on the next, and which takes assembly for this machine's.
[[nodiscard]] std::vector<Diagnostic> refuse_not_yet(const std::string& text,
                                                     const std::string& include_dir);

// Returns whether this is the name of one of CUDA's headers, as in an #include.
[[nodiscard]] bool is_cuda_header(const std::string& name);

// The message for whole programs about a header or a name that does not exist here.
[[nodiscard]] std::string unsupported_message(const std::string& name);
[[nodiscard]] bool is_unsupported(const Diagnostic& diagnostic);  // whether it has such a message

// For whole programs: rewrites g++'s and the linker's messages about CUDA's host functions, types
// and libraries that do not exist here.
void explain_unsupported(std::vector<Diagnostic>& diagnostics);

// Rewrites g++'s messages about unknown names and headers in this way. `includes` lists the
// source's includes: a name that these headers lack needs another one.
void explain_not_yet(std::vector<Diagnostic>& diagnostics,
                     const std::vector<SourceText::Include>& includes = {});

}  // namespace histolab::kernels::worker
