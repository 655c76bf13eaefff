// One-byte samples, any bins: one kernel at the read limit, whatever the data is.
#pragma once

#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// Of the plan, the walk and the copies.
void count_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins, const Plan& plan, Count* histogram,
                 const Workspace& workspace, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
