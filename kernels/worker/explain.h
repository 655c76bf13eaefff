// Puts into CUDA's words what the compiler and the loader say in their own, and says what to do about it.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// What is only another sign of the same mistake is taken out. `kernels`: the names that the harness launches.
void explain(std::vector<Diagnostic>& diagnostics, const std::string& text, const std::vector<std::string>& kernels);

}  // namespace histolab::kernels::worker
