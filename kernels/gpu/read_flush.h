// ReadFlush: fills the L2 with clean lines that no kernel reads.
//
// It reads. Lines that are flushed by writing stay dirty in the L2, and the next kernel waits until
// they are written back: 11 us on an H200.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::gpu {

class ReadFlush {
 public:
  // `harness`: the cubin of harness_source().
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
