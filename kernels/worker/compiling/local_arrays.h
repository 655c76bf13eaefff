// Local arrays that cannot be kept in registers, because an index is not known before the kernel runs.
//
// Registers have no addresses. An array whose every index is a constant once all loops of constant
// length are unrolled becomes as many registers. Any other one is in local memory, which is device
// memory. nvcc unrolls such loops; so does g++ here, on request, and its dump of the kernel names
// each index that is left. ptxas's report of a kernel (its stack frame) is the truth; this is the
// best answer without a CUDA toolkit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// `dump`: output of optimize_for_registers (compiler.h) for a file called `file`. Each array once,
// where it is indexed first. Sorted by line. Arrays of one name, in several functions, are one.
[[nodiscard]] std::vector<IndexedArray> indexed_arrays(std::string_view dump, const std::string& file);

}  // namespace histolab::kernels::worker
