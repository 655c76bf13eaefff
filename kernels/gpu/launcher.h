// Runs the launches of a request one after the other, in the GPU worker's process, each watched by
// the watchdog if possible (watchdog.h).
#pragma once

#include <vector>

#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// Like Device::launch(): stops after the first launch that does not complete. Throws CudaError if
// the machine fails.
[[nodiscard]] std::vector<Observation> run_launches(const Request& request);

}  // namespace histolab::kernels::gpu
