// An NVIDIA GPU as a Device: NVRTC, launches and timing, each in a worker process of its own that is thrown away.
//
// This side links nothing of CUDA: only the worker can find out whether there is a GPU, a driver
// and a toolkit. The GPU shows a kernel's result and its time; the emulator shows its mistakes and
// their lines.
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

// Returns an Error that names the missing part (the worker in this build, a driver, a GPU of this
// number) and how to get it.
[[nodiscard]] Result<std::unique_ptr<TimedDevice>> make_gpu(const GpuOptions& options);

// Does the work of Device::compile for a GPU of this capability (90: sm_90). The GPU need not
// exist: NVRTC alone does it. The result can be inspected but not launched. Returns an Error if
// there is no worker, or no NVRTC.
[[nodiscard]] Result<Compiled> compile_for_gpu(const GpuOptions& options, int capability, const Source& source,
                                               const std::vector<KernelSignature>& signatures);

// The part of this process's environment that a program with a GPU needs: the visible GPUs, and the
// driver's location.
[[nodiscard]] std::vector<std::string> gpu_environment();

}  // namespace histolab::kernels
