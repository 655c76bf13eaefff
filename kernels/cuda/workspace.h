// State that the launches on one stream share: a few counters in device memory, which each launch
// leaves as it found them, and room for the counts of all 16-bit values
// (Strategy::values_then_fold).
#pragma once

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

inline constexpr unsigned max_parts = 16;

// Of one part (partition.h), in a line of the L2 of its own.
struct Progress {
  unsigned next;  // tickets taken so far; its highest bit says that the results are zero
  unsigned unused[31];
};

// One for each stream that counts, on the device that was current when it was made; not for two launches at once.
class Workspace {
 public:
  static constexpr unsigned values = 65536;

  Workspace() : progress_(max_parts * sizeof(Progress)), counts_of_values_(values * sizeof(unsigned long long)) {
    gpu::check(cudaMemset(progress_.as(), 0, progress_.bytes()), "clear memory of the GPU");
    gpu::check(cudaStreamSynchronize(nullptr), "clear memory of the GPU");  // other streams need not wait for this one
  }
  [[nodiscard]] Progress* progress() const { return progress_.as<Progress>(); }
  [[nodiscard]] unsigned long long* counts_of_values() const { return counts_of_values_.as<unsigned long long>(); }

 private:
  gpu::DeviceMemory progress_, counts_of_values_;
};

}  // namespace histolab::kernels::cuda
