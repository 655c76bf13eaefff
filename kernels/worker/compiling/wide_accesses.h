// WideAccesses: accesses of one width that g++ reports as ranges of bytes, by its own account (-fdump-tree-tsan-lineno).
//
// Where g++ knows an address to be less aligned than the access there is wide, it calls __tsan_read_range, as it does for
// structures that are copied and for members of packed ones. To a GPU the first is one misaligned access, the others are
// as many small ones as their alignment asks for; only the compiler still knows which of them the source means. The format
// of the dump is not promised; what it does not say is simply not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/module/module.h"

namespace histolab::kernels::worker {

// Those in lines of `file`, of which no other access of as many bytes in the same line is a range.
[[nodiscard]] std::vector<emulator::WideAccess> wide_accesses(std::string_view dump, const std::string& file);

}  // namespace histolab::kernels::worker
