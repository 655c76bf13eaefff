// What an error of the CUDA runtime says about the kernel that ran.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "kernels/device.h"

namespace histolab::kernels::gpu {

// nullopt: the error is the machine's (out of memory, no driver), not the kernel's. The context is of no use after such
// a finding, except after invalid_launch (CUDA Runtime API, "Error Handling").
[[nodiscard]] std::optional<Finding> finding_of(cudaError_t error);

}  // namespace histolab::kernels::gpu
