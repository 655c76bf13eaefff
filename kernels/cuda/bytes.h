// One-byte samples, any bins: one kernel at the read limit, whatever the data is.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

void count_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins, Count* histogram,
                 const Workspace& workspace, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
