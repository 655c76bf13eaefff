// Explaining a launch: the kernel's source with what each line costs, beside the lab's solution.
// `explain`, and `run --annotate`.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/launch.h"

namespace histolab::cli {

// Launches a kernel of each lab, and the labs' solutions; prints listings, or writes a page where
// `html` names a file. The exit code.
[[nodiscard]] int explain(const Context& context, const LaunchFlags& flags,
                          const std::vector<grader::LabSpec>& labs, const std::string& html);

}  // namespace histolab::cli
