// The emulator as a Device: every compile check and every launch in a worker process of its own (cells.h).
//
// A worker's answers are believed only as far as they concern the kernel: histograms are read from
// memory that this process owns. A worker that dies, says nothing, or talks nonsense is a verdict
// about the kernel it ran.
#pragma once

#include <memory>

#include "kernels/device.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::kernels {

[[nodiscard]] std::unique_ptr<Device> make_emulator(EmulatorPaths paths);

}  // namespace histolab::kernels
