// 16- and 32-bit samples as a plan says.
#pragma once

#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// Strategies copies and parts. `plan` need not be the problem's own: values_then_fold counts the values of 16-bit
// samples as 65 536 bins.
void count_u16(const Problem& problem, const Plan& plan, Count* histogram, const Workspace& workspace,
               cudaStream_t stream);
void count_u32(const Problem& problem, const Plan& plan, Count* histogram, const Workspace& workspace,
               cudaStream_t stream);

// Strategy direct, of even bins.
void count_direct(const Problem& problem, const Plan& plan, const Workspace& workspace, cudaStream_t stream);

// histogram[bin] becomes the sum of counts[value] over the bin's values below `values`.
void fold(const Count* counts, unsigned values, const Bins& bins, Count* histogram, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
