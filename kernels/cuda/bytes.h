// One-byte samples, any bins: one kernel that reaches the read limit for any data.
#pragma once

#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// Uses only the walk, the copies and least_bytes of the plan. Throws gpu::CudaError.
void count_bytes(const std::uint8_t* samples, std::size_t length, const Bins& bins,
                 const Plan& plan, Count* histogram, const Workspace& workspace,
                 cudaStream_t stream);

}  // namespace histolab::kernels::cuda
