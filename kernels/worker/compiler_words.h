// What g++ and the assembler say about a source, as Diagnostics in the student's coordinates.
//
// Only their JSON and the shapes named here are read; whatever else they say is ignored. The source has a say in the words, so no
// message is longer than somebody reads, and there are at most twenty errors and twenty warnings.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// The message where g++ was content and the assembler was not: the source has assembly of its own.
inline constexpr const char* assembler_refused = "the assembler cannot take what this source hands it";

// g++'s JSON diagnostics about the file of this name, and those of its errors that are about no line of it.
[[nodiscard]] std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& file);

// The assembler's words, `kernel.cu:3: Error: no such instruction`, without what it knows of this processor.
[[nodiscard]] std::vector<Diagnostic> assembler_diagnostics(const std::string& output);

// What the compiler says about the machine; empty when it says nothing of the kind. Only lines that do not speak of the student's
// file count, or a source could say these words itself.
[[nodiscard]] std::string machine_fault(const std::string& errors);

}  // namespace histolab::kernels::worker
