// A histogram from its definition, on the GPU: every other result is compared with it.
//
// One sample at a time, the bin by a 64-bit division or a binary search, one addition to global memory for each
// distinct bin of a warp. It shares nothing with the kernels that it judges but the definition of a bin, and is itself
// checked against the host's.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

void count_by_definition(const Problem& problem, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
