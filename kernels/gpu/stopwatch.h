// Times kernels against each other in one process. Every sample is a launch that the caller
// verifies.
//
// One sample of one kernel:
//   1. the input is copied again from a pre-made one and a few bytes of it are changed: no earlier
//      result is right
//   2. the output and the memory around it are poisoned, then the output is zeroed
//   3. the kernel's code is loaded again: nothing survives in its `__device__` memory
//   4. the L2 is filled with other data; while the GPU does that, event, launch and event are queued, so the time between
//      the two events has no part of the host's in it
//   5. the host's own clock must agree with the events, else its time holds
//   6. the output goes to the caller
// Samples of all kernels take turns. The kernels but the first are also timed before the first is
// loaded (Timing::alone_ms): so the first gains nothing by slowing its rivals down.
#pragma once

#include <vector>

#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// See TimedDevice::time. Throws CudaError for the machine's faults.
[[nodiscard]] std::vector<TimedKernel> time_kernels(const Request& request);

}  // namespace histolab::kernels::gpu
