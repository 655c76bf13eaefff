// What this GPU's memory can do at most: the 100 % of every row of a benchmark.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

// *result becomes the XOR of all 32-bit words of data[0 .. bytes), which is what makes every byte be read. `data` is 16-byte
// aligned and `bytes` a multiple of 512.
void read_all(const void* data, std::size_t bytes, std::uint32_t* result, cudaStream_t stream);

}  // namespace histolab::kernels::cuda
