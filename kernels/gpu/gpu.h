// An NVIDIA GPU as a Device: NVRTC, launches and timing, each in a worker process of its own that is thrown away.
//
// This side links nothing of CUDA: whether there is a GPU, a driver and a toolkit shows when the worker is asked. The GPU
// tells what a kernel's result is and how long it takes; what is wrong with it on which line, the emulator tells.
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
  int number = 0;      // which GPU, as CUDA counts them
  const worker::Confinement* confinement = nullptr;  // of the worker; borrowed; null: limits only
};

// Error: what is missing (the worker in this build, a driver, a GPU of this number) and how to get it.
[[nodiscard]] Result<std::unique_ptr<TimedDevice>> make_gpu(const GpuOptions& options);

// What Device::compile does, for a GPU of this capability (90: sm_90) that need not be there: NVRTC alone does it. What comes out can
// be asked about and not be launched. Error: there is no worker, or no NVRTC.
[[nodiscard]] Result<Compiled> compile_for_gpu(const GpuOptions& options, int capability, const Source& source,
                                               const std::vector<KernelSignature>& signatures);

// What a program that uses a GPU needs of this process's environment: which GPUs it may see, and where the driver is.
[[nodiscard]] std::vector<std::string> gpu_environment();

}  // namespace histolab::kernels
