// Times work that finds none of its data in the L2. The L2 is filled with other, clean lines, and
// CUDA events are placed directly around the work. A flush by writing would leave dirty lines;
// their write-back costs the next reader 10 to 15 us on an H200.
#pragma once

#include "kernels/cuda/read_limit.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

class ColdTimer {
 public:
  explicit ColdTimer(const gpu::GpuFacts& facts)
      : clean_(4 * facts.l2_bytes), sink_(sizeof(std::uint32_t)) {
    gpu::check(cudaMemset(clean_.as(), 0x5a, clean_.bytes()), "fill memory");
  }

  // Returns the time of the work that `work` enqueues on the default stream, in milliseconds.
  template <class Work>
  [[nodiscard]] double ms(Work&& work) {
    read_all(clean_.as(), clean_.bytes(), sink_.as<std::uint32_t>(), nullptr);
    before_.record();
    work();
    after_.record();
    after_.wait();
    return after_.ms_since(before_);
  }
  // Returns the time to read `bytes` bytes at `data`, in milliseconds.
  [[nodiscard]] double read_ms(const void* data, std::size_t bytes) {
    return ms([&] { read_all(data, bytes, sink_.as<std::uint32_t>(), nullptr); });
  }

 private:
  gpu::DeviceMemory clean_, sink_;
  gpu::Event before_, after_;
};

}  // namespace histolab::kernels::cuda
