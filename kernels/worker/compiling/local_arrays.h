// Finds local arrays that a GPU cannot keep in registers, because an index is unknown until the
// kernel runs. See docs/emulator.md, "Compiling".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// `dump` is output of optimize_for_registers() (compiler.h) for a file called `file`. Returns each
// array once, with the line of its first computed index, sorted by line. Arrays with the same name
// in several functions count as one.
[[nodiscard]] std::vector<IndexedArray> indexed_arrays(std::string_view dump,
                                                       const std::string& file);

}  // namespace histolab::kernels::worker
