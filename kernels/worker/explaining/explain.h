// Translates messages of the compiler and the loader into CUDA's terms, and adds advice.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// Removes diagnostics that only follow from another one. `kernels`: the names that the harness
// launches.
void explain(std::vector<Diagnostic>& diagnostics, const std::string& text,
             const std::vector<std::string>& kernels);

// The same for one file of a whole program, which also has host code.
void explain_program(std::vector<Diagnostic>& diagnostics, const std::string& text);

}  // namespace histolab::kernels::worker
