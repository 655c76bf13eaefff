// A histogram from its definition, on the GPU. Every other result is compared with it.
//
// It takes one sample at a time, finds the bin by a 64-bit division or a binary search, and makes
// one addition to global memory per distinct bin of a warp. It shares only the definition of a bin
// with the tested kernels. It is itself compared with a result of the host.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

void count_by_definition(const Problem& problem, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
