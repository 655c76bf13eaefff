#include "kernels/gpu/watchdog.h"

#include <thread>

#include "kernels/gpu/harness.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::gpu {
namespace {

enum : unsigned int { watch = 0, go = 1, trap = 2 };

}  // namespace

Watchdog::Watchdog(std::span<const std::uint8_t> harness) {
  void* shared = nullptr;
  check(cudaHostAlloc(&shared, sizeof(unsigned int), cudaHostAllocMapped),
        "allocate memory for the watchdog");
  order_ = static_cast<volatile unsigned int*>(shared);
  *order_ = watch;
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryLoadData(&library_, harness.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load the watchdog");
  check(cudaLibraryGetKernel(&kernel, library_, watchdog_kernel), "find the watchdog's kernel");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
        "make a stream for the watchdog");
  void* order = nullptr;
  check(cudaHostGetDevicePointer(&order, shared, 0), "map the watchdog's word");
  void* arguments[] = {&order};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0,
                         stream_),
        "start the watchdog");
  resident_ = true;
}

void Watchdog::dismiss() {
  if (!resident_) return;
  resident_ = false;
  *order_ = go;
  check(cudaStreamSynchronize(stream_), "stop the watchdog");
}

// After a trap or another error, the context is destroyed and these calls have no effect.
Watchdog::~Watchdog() {
  if (resident_) {
    *order_ = go;
    cudaStreamSynchronize(stream_);
  }
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
  if (library_ != nullptr) cudaLibraryUnload(library_);
  cudaFreeHost(const_cast<unsigned int*>(order_));
}

bool Watchdog::wait(cudaEvent_t event, std::chrono::milliseconds limit) {
  if (wait_for(event, limit)) return true;
  resident_ = false;
  *order_ = trap;
  // The event reports the trap as an error. If that does not happen, the parent kills this process.
  cudaEventSynchronize(event);
  return false;
}

bool wait_for(cudaEvent_t event, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (;;) {
    const cudaError_t state = cudaEventQuery(event);
    if (state == cudaSuccess) return true;
    if (state != cudaErrorNotReady) check(state, "run the kernel");
    const auto waited = Clock::now() - begin;
    if (waited > limit) return false;
    if (waited > std::chrono::milliseconds(20))
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace histolab::kernels::gpu
