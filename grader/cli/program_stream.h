// `histolab exec --stream`: reports one launch of a whole program, as `histolab run --stream`
// reports a lab's (docs/stream.schema.json). `histolab view FILE.cu` draws it.
#pragma once

#include <cstdint>

#include "grader/cli/whole_program.h"

namespace histolab::cli {

// Runs the program and prints the events of the chosen launch, or of the first one if none is
// chosen, with its first `accesses` memory accesses. The program's output goes to the standard
// error. Returns the exit code.
[[nodiscard]] int stream_program(const Context& context, ProgramFlags flags,
                                 std::uint32_t accesses);

}  // namespace histolab::cli
