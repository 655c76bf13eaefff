// Watchdog: ends an endless kernel from within the GPU.
//
// A kernel of one thread is made resident before the kernel that it watches and looks at a word of the host's memory. When
// the host finds that time is up it writes there, and the thread executes a trap: that ends everything the process
// runs on the GPU, and the GPU stays usable for others. A kernel cannot be ended from outside but with its process, and
// the driver may take seconds for that.
//
// A kernel that needs a stack (local memory; printf, malloc and assert do) cannot begin while another one is on the GPU, since
// the driver may have to find memory for the stacks first. It is not watched: a late one ends with its process.
// The same holds for a kernel whose blocks wait for each other, since they may need all places on the GPU.
//
// It takes the place of one warp on one multiprocessor, so it is not there when a kernel is timed: a kernel is timed only
// after a launch that was watched.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <span>

namespace histolab::kernels::gpu {

// Waits until `event` is over or `limit` has passed. Returns false if the limit has passed and the
// kernel still runs. Throws CudaError for the kernel's own errors.
[[nodiscard]] bool wait_for(cudaEvent_t event, std::chrono::milliseconds limit);

class Watchdog {
 public:
  // `harness`: the cubin of harness_source().
  explicit Watchdog(std::span<const std::uint8_t> harness);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  // As wait_for(), but a kernel that is late is ended by the trap: the process cannot use the GPU any more.
  [[nodiscard]] bool wait(cudaEvent_t event, std::chrono::milliseconds limit);
  // Takes the thread off the GPU. The object is of no use afterwards.
  void dismiss();

 private:
  volatile unsigned int* order_ = nullptr;  // the host's memory: 0 watch, 1 go, 2 trap
  cudaLibrary_t library_ = nullptr;
  cudaStream_t stream_ = nullptr;
  bool resident_ = false;
};

}  // namespace histolab::kernels::gpu
