// Local arrays that cannot be kept in registers, because an index is not known before the kernel runs.
//
// Registers have no addresses: an array whose every index is a constant once all loops of constant length are unrolled becomes as
// many registers, any other one lies in local memory, which is device memory. nvcc unrolls such loops; so does g++ here, when it is
// asked to, and what it then writes down of the kernel names each index that is left. What ptxas says of a kernel (its stack frame)
// is the truth; this is what can be known without a CUDA toolkit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// `dump`: what optimize_for_registers (compiler.h) gave of a file that it called `file`. Each array once, where it is indexed first. Sorted by line.
// Arrays of one name, in several functions, are one.
[[nodiscard]] std::vector<IndexedArray> indexed_arrays(std::string_view dump, const std::string& file);

}  // namespace histolab::kernels::worker
