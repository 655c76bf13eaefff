// One after the other, the launches of a request: in the GPU worker's process, each watched by the watchdog.
#pragma once

#include <vector>

#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// As Device::launch: stops after the first launch that does not complete. Throws CudaError for the machine's faults.
[[nodiscard]] std::vector<Observation> run_launches(const Request& request);

}  // namespace histolab::kernels::gpu
