// Counts 16- and 32-bit samples according to a plan. All functions throw gpu::CudaError.
#pragma once

#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// The strategies copies and parts. `plan` may have other bins than the problem: values_then_fold
// counts the values of 16-bit samples as 65 536 bins.
void count_u16(const Problem& problem, const Plan& plan, Count* histogram,
               const Workspace& workspace, cudaStream_t stream);
void count_u32(const Problem& problem, const Plan& plan, Count* histogram,
               const Workspace& workspace, cudaStream_t stream);

// The strategy direct, for even bins.
void count_direct(const Problem& problem, const Plan& plan, const Workspace& workspace,
                  cudaStream_t stream);

// Sets histogram[bin] to the sum of counts[value] over the bin's values below `values`.
void fold(const Count* counts, unsigned values, const Bins& bins, Count* histogram,
          cudaStream_t stream);

}  // namespace histolab::kernels::cuda
