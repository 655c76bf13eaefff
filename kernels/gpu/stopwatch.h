// Times kernels against each other in one process. Every sample is a launch whose output the caller
// verifies. Samples of all kernels alternate. docs/gpu.md ("How a time is taken") lists the steps
// of a sample and the reasons. All kernels but the first are also timed before the first one is
// loaded (Timing::alone_ms). So the first kernel gains nothing by slowing its rivals down.
#pragma once

#include <vector>

#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// See TimedDevice::time(). Throws CudaError if the machine fails.
[[nodiscard]] std::vector<TimedKernel> time_kernels(const Request& request);

}  // namespace histolab::kernels::gpu
