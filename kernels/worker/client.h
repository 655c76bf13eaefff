// The emulator as a Device: every compile check and every launch runs in its own worker process
// (worker_pool.h). A worker's answer is untrusted: histograms are read from memory that this
// process owns. A worker that dies, does not answer or sends an invalid answer is a verdict about
// the kernel it ran.
#pragma once

#include <memory>

#include "kernels/device.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::kernels {

inline constexpr const char* emulator_name = "histolab emulator";  // Device::name()

[[nodiscard]] std::unique_ptr<Device> make_emulator(EmulatorPaths paths);

}  // namespace histolab::kernels
