// Explains a launch: the kernel's source with the cost of each line, next to the lab's solution.
// Used by `explain` and `run --annotate`.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/launch.h"

namespace histolab::cli {

// Launches a kernel of each lab, and the labs' solutions. Prints listings, or writes a page if
// `html` names a file. Returns the exit code.
[[nodiscard]] int explain(const Context& context, const LaunchFlags& flags,
                          const std::vector<grader::LabSpec>& labs, const std::string& html);

}  // namespace histolab::cli
