// What CUDA has and this version of the emulator has not: told so, because the student's code may be right.
//
// A function or type is known to be missing when the compiler does not know it, a header when the folder of the shim does
// not hold it: what is added there is no longer told here.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {

// CUDA's headers that the text includes and the emulator does not have, and inline assembly; one error each. It is asked
// before the compiler, which may find such a header in a CUDA toolkit's folder on one machine and not on the next, and which
// takes assembly for this machine's.
[[nodiscard]] std::vector<Diagnostic> refuse_not_yet(const std::string& text, const std::string& include_dir);

// Puts into these words what g++ says of names and headers that it does not find.
// `includes`: what the source includes; a name that such a header lacks needs another one.
void explain_not_yet(std::vector<Diagnostic>& diagnostics,
                     const std::vector<SourceText::Include>& includes = {});

}  // namespace histolab::kernels::worker
