// expect: passed
#include <cstddef>
#include <cstdint>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  while (at < length) {
    const std::uint8_t c = static_cast<std::uint8_t>(data[at]);
    const std::uint32_t bin = (c - 97u) / 4u;
    if (c >= 97 && c < 123) atomicAdd(&histo[bin], std::uint32_t{1});
    at += static_cast<std::size_t>(gridDim.x) * blockDim.x;
  }
}
