// State shared by the launches on one stream: a few counters in device memory, which each launch
// restores, and memory for the counts of all 16-bit values (Strategy::values_then_fold).
#pragma once

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

inline constexpr unsigned max_parts = 16;

// The progress of one part (partition.h), in its own line of the L2.
struct Progress {
  unsigned next;  // tickets taken so far; the highest bit is set when the results are zero
  unsigned unused[31];
};

// Each counting stream needs its own Workspace. It belongs to the device that was current when it
// was created. Two launches must not use it at the same time.
class Workspace {
 public:
  static constexpr unsigned values = 65536;

  Workspace()
      : progress_(max_parts * sizeof(Progress)),
        counts_of_values_(values * sizeof(unsigned long long)) {
    gpu::check(cudaMemset(progress_.as(), 0, progress_.bytes()), "clear memory of the GPU");
    gpu::check(cudaStreamSynchronize(nullptr),
               "clear memory of the GPU");  // other streams need not wait for this one
  }
  [[nodiscard]] Progress* progress() const { return progress_.as<Progress>(); }
  [[nodiscard]] unsigned long long* counts_of_values() const {
    return counts_of_values_.as<unsigned long long>();
  }

 private:
  gpu::DeviceMemory progress_, counts_of_values_;
};

}  // namespace histolab::kernels::cuda
