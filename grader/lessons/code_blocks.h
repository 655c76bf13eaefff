// Code in lessons and hints that says it is CUDA compiles.
//
// A fenced block whose info is "cuda" is compiled: as a file of its own where it has __global__,
// __device__ or #include, and as a piece of the lab's kernel else (the first one, or the one that
// is named: "cuda KERNEL"). A piece stands in braces of its own behind the usual variables;
// docs/lessons.md lists them. What it declares itself hides those.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lessons/page.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// Error: the machine's fault.
[[nodiscard]] Result<std::vector<PageProblem>> broken_code(kernels::Device& device,
                                                           const LabSpec& lab,
                                                           const std::string& path,
                                                           std::string_view page);

}  // namespace histolab::grader::lessons
