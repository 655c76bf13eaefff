// A whole CUDA program on a GPU: compiled by nvcc and run, for comparison with the emulator.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/context.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"

namespace histolab::cli {

// The program prints as it would without histolab, in the sandbox of GPU runs (docs/sandbox.md): it
// may read what the emulator's program may, and writes only to a temporary folder. Returns its exit
// status. Returns an Error without a GPU or nvcc.
[[nodiscard]] Result<int> run_on_gpu(const Context& context, const kernels::program::Build& build,
                                     const kernels::program::ProgramSettings& settings, int number);

}  // namespace histolab::cli
