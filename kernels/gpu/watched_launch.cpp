#include "kernels/gpu/watched_launch.h"

#include <fmt/format.h>

#include "kernels/gpu/error_verdict.h"
#include "kernels/gpu/runtime.h"
#include "kernels/gpu/watchdog.h"

namespace histolab::kernels::gpu {

BadEnd too_late(std::chrono::milliseconds limit, bool still_running) {
  const double seconds = static_cast<double>(limit.count()) / 1000;
  return {Ending::timed_out,
          fmt::format("the kernel was still running after {:.1f} s on the GPU: look for a loop "
                      "that never ends, or for one thread that does all the work",
                      seconds),
          std::nullopt, still_running};
}

BadEnd bad_end_of(const CudaError& error) {
  std::optional<Finding> finding = finding_of(error.code());
  if (!finding) throw error;
  return {Ending::stopped, finding->message, finding, false};
}

std::optional<BadEnd> launch_watched(LoadedKernel& kernel, const KernelImage& image,
                                     std::vector<void*>& values, cudaStream_t stream,
                                     std::span<const std::uint8_t> harness,
                                     std::chrono::milliseconds limit) {
  Event done;
  std::optional<Watchdog> dog;
  check(cudaDeviceSynchronize(), "prepare the launch");
  try {
    if (image.may_be_watched) dog.emplace(harness);
    if (const cudaError_t refused = kernel.launch(image.config, values, stream);
        refused != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      throw CudaError(refused, "launch the kernel");
    }
    done.record(stream);
    if (!(dog ? dog->wait(done.handle(), limit) : wait_for(done.handle(), limit)))
      return too_late(limit, !dog);
    check(cudaStreamSynchronize(stream), "run the kernel");
    if (dog) dog->dismiss();
  } catch (const CudaError& error) {
    return bad_end_of(error);
  }
  return std::nullopt;
}

}  // namespace histolab::kernels::gpu
