// `explain FILE.cu`: a whole program's sources with the cost of each line.
#pragma once

#include <string>

#include "grader/cli/whole_program.h"

namespace histolab::cli {

// Runs the program and prints its files with the counters of the chosen launch, or of all counted
// launches. Writes a page instead if `html` names a file. The program's own output goes to standard
// error. Returns the exit code.
[[nodiscard]] int explain_program(const Context& context, const ProgramFlags& flags,
                                  const std::string& html);

}  // namespace histolab::cli
