// Reads the messages of g++ and the assembler as Diagnostics in the student's coordinates. Only
// their JSON and the formats named here are read; anything else is ignored. The source influences
// the messages, so their length is limited, and so is their number: twenty errors and twenty
// warnings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

// The message if g++ accepted the source but the assembler did not: the source contains assembly.
inline constexpr const char* assembler_refused = "the assembler rejects the code of this source";

// Returns g++'s JSON diagnostics about the file of this name, and errors without a line. g++ copies
// bytes of the source into its JSON: control characters and invalid UTF-8 become '?'.
[[nodiscard]] std::vector<Diagnostic> parse_diagnostics(const std::string& output,
                                                        const std::string& file);

// A diagnostic about one of several files.
struct FileDiagnostic {
  std::string file;  // as g++ names it; empty if the diagnostic has no position
  Diagnostic diagnostic;
};

// The same for all files whose names `is_ours` accepts.
[[nodiscard]] std::vector<FileDiagnostic> parse_file_diagnostics(
    const std::string& output, const std::function<bool(const std::string&)>& is_ours);

// Returns one error per source line that the assembler rejects, and one with line 0 for other
// positions: `kernel.cu:3: Error: no such instruction`, `/tmp/x.s:7: Error: file not found: x`. The
// assembler's own message is dropped: it describes this machine's processor and files.
[[nodiscard]] std::vector<Diagnostic> assembler_diagnostics(const std::string& output);

// Describes how the compiler ended if it printed no error about the source.
[[nodiscard]] Diagnostic describe_compiler_death(const ProcessResult& ran, const std::string& text);

// Returns whether the messages say that the compiler reached its CPU time limit.
[[nodiscard]] bool says_time_is_up(const std::string& errors);

// Returns whether the messages say that the compiler ran out of memory.
[[nodiscard]] bool says_memory_is_up(const std::string& errors);

// Returns the first line that looks like a failure of the machine, or an empty string. A source can
// make the compiler and the assembler print any line. So this is only a reason to check facts
// (compiler.cpp), never a verdict.
[[nodiscard]] std::string machine_complaint(const std::string& errors);

}  // namespace histolab::kernels::worker
