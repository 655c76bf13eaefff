// The meaning of an error of the CUDA runtime for the kernel that ran.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "kernels/device.h"

namespace histolab::kernels::gpu {

// Returns nullopt if the machine caused the error (out of memory, no driver), not the kernel. After
// a finding, the CUDA context cannot be used any more, except after invalid_launch (CUDA Runtime
// API, "Error Handling").
[[nodiscard]] std::optional<Finding> finding_of(cudaError_t error);

}  // namespace histolab::kernels::gpu
