// CUDA code in lessons and hints must compile.
//
// This covers fenced blocks marked "cuda". A block is either a whole file or a piece of a kernel:
// docs/lessons.md has the rules and the variables that a piece may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lessons/page.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// Returns the blocks that do not compile. Returns an Error if the machine fails.
[[nodiscard]] Result<std::vector<PageProblem>> broken_code(kernels::Device& device,
                                                           const LabSpec& lab,
                                                           const std::string& path,
                                                           std::string_view page);

}  // namespace histolab::grader::lessons
