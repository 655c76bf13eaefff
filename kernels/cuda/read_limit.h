// Reads memory at the highest rate of this GPU: the 100 % of every benchmark row.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

// Reads data[0 .. bytes) once. The 32-bit words are XORed, so that the compiler cannot omit a load.
// *result may or may not be written. `data` must be aligned to 16 bytes. Up to 15 bytes at the end
// are not read. Throws gpu::CudaError.
void read_all(const void* data, std::size_t bytes, std::uint32_t* result, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
