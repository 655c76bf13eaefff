// Watchdog: ends an endless kernel from within the GPU. A resident kernel of one thread polls
// a word of the host's memory. When the time is up, the host writes there and the thread
// executes a trap. The trap ends all work of the process on the GPU; other processes can still
// use the GPU. Kernels that cannot be watched end with their process: docs/gpu.md ("An endless
// kernel") lists them.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <span>

namespace histolab::kernels::gpu {

// Waits until `event` has completed or `limit` has passed. Returns false if the limit has passed
// and the kernel still runs. Throws CudaError for errors of the kernel.
[[nodiscard]] bool wait_for(cudaEvent_t event, std::chrono::milliseconds limit);

class Watchdog {
 public:
  // Starts the thread. `harness` is the cubin of harness_source(). Throws CudaError.
  explicit Watchdog(std::span<const std::uint8_t> harness);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  // Like wait_for(), but the trap ends a late kernel. Then the process cannot use the GPU any more.
  [[nodiscard]] bool wait(cudaEvent_t event, std::chrono::milliseconds limit);
  // Ends the thread. The object must not be used afterwards.
  void dismiss();

 private:
  volatile unsigned int* order_ = nullptr;  // in the host's memory: 0 watch, 1 go (end), 2 trap
  cudaLibrary_t library_ = nullptr;
  cudaStream_t stream_ = nullptr;
  bool resident_ = false;
};

}  // namespace histolab::kernels::gpu
