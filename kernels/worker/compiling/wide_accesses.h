// WideAccesses: accesses that a GPU makes at once but g++ reports as ranges of bytes. They are
// found in a g++ dump (-fdump-tree-tsan-lineno). See docs/emulator.md, "Compiling".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/module/module.h"

namespace histolab::kernels::worker {

// Returns the wide accesses in lines of `file`. One is left out if another access of the same size
// in its line is a real range.
[[nodiscard]] std::vector<emulator::WideAccess> wide_accesses(std::string_view dump,
                                                              const std::string& file);

}  // namespace histolab::kernels::worker
