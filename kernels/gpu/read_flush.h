// ReadFlush: fills the L2 with clean lines that no kernel reads, by reading. A flush by
// writing would leave dirty lines in the L2, and the next kernel would wait for the
// write-back: 11 us on an H200.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::gpu {

class ReadFlush {
 public:
  // `harness` is the cubin of harness_source(). Throws CudaError.
  ReadFlush(std::span<const std::uint8_t> harness, const GpuFacts& facts);
  ReadFlush(const ReadFlush&) = delete;
  ReadFlush& operator=(const ReadFlush&) = delete;
  ~ReadFlush() { cudaLibraryUnload(library_); }

  void operator()(cudaStream_t stream);

 private:
  DeviceMemory lines_, sink_;
  unsigned int blocks_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

}  // namespace histolab::kernels::gpu
