// The highest rate of this GPU's memory: the 100 % of every row of a benchmark.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

// Reads data[0 .. bytes) once; 32-bit words are XORed so that none can be left out. *result is written or not. `data`
// is 16-byte aligned; up to 15 bytes at the end are not read.
void read_all(const void* data, std::size_t bytes, std::uint32_t* result, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
