// An NVIDIA GPU as a Device. Each compilation, series of launches and timing has its own worker
// process, which ends afterwards. This side does not link CUDA: only the worker can find out
// whether there is a GPU, a driver and a toolkit. See docs/gpu.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels {

namespace worker {
class Confinement;
}

struct GpuOptions {
  std::string worker;  // histolab-gpu-worker
  int number = 0;      // CUDA's number of the GPU
  // Confinement of the worker. Borrowed. If null, only the resource limits apply.
  const worker::Confinement* confinement = nullptr;
};

// Returns an Error if the worker in this build, a driver, or the GPU of this number is missing. The
// message names the missing part and the remedy.
[[nodiscard]] Result<std::unique_ptr<TimedDevice>> make_gpu(const GpuOptions& options);

// Compiles like Device::compile() for a GPU of this compute capability (90 is sm_90). The GPU need
// not exist, because only NVRTC is used. The result can be inspected but not launched. Returns an
// Error if the worker or NVRTC is missing.
[[nodiscard]] Result<Compiled> compile_for_gpu(const GpuOptions& options, int capability,
                                               const Source& source,
                                               const std::vector<KernelSignature>& signatures);

// Returns the environment variables of this process that a program with a GPU needs: the visible
// GPUs and the driver's location. Form: "NAME=VALUE".
[[nodiscard]] std::vector<std::string> gpu_environment();

}  // namespace histolab::kernels
