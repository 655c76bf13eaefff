// What g++ and the assembler say about a source, as Diagnostics in the student's coordinates.
//
// Only their JSON and the shapes named here are read; anything else is ignored. The source
// influences the words, so no message is longer than a reader accepts, and there are at most twenty
// errors and twenty warnings.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

// The message where g++ was content and the assembler was not: the source has assembly of its own.
inline constexpr const char* assembler_refused = "the assembler cannot take what this source hands it";

// g++'s JSON diagnostics about the file of this name, and those of its errors that are about no line of it. g++ copies a source's
// bytes into its JSON: control characters and bytes that are not UTF-8 become '?'.
[[nodiscard]] std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& file);

// One error per line of the source about which the assembler complains, and one of line 0 for other
// places: `kernel.cu:3: Error: no such instruction`, `/tmp/x.s:7: Error: file not found: x`. The
// assembler's own words are left out: they describe this machine's processor and files.
[[nodiscard]] std::vector<Diagnostic> assembler_diagnostics(const std::string& output);

// Describes how the compiler ended on a source about which it printed no error.
[[nodiscard]] Diagnostic describe_compiler_death(const ProcessResult& ran, const std::string& text);

// Whether the compiler's words say that it used up its processor time.
[[nodiscard]] bool says_time_is_up(const std::string& errors);

// Whether the compiler's words say that it could get no more memory.
[[nodiscard]] bool says_memory_is_up(const std::string& errors);

// Returns the first line that sounds like a failure of the machine, or an empty string. A source can
// make the compiler and the assembler print any line, so this is a reason to look for facts
// (compiler.cpp), and never a verdict.
[[nodiscard]] std::string machine_complaint(const std::string& errors);

}  // namespace histolab::kernels::worker
