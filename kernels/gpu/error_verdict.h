// The meaning of an error of the CUDA runtime for the kernel that ran.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "kernels/device.h"

namespace histolab::kernels::gpu {

// Returns nullopt if the error is the machine's (out of memory, no driver), not the kernel's. The
// context is of no use after such a finding, except after invalid_launch (CUDA Runtime API, "Error
// Handling").
[[nodiscard]] std::optional<Finding> finding_of(cudaError_t error);

}  // namespace histolab::kernels::gpu
