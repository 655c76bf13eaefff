// expect: passed
#include <cuda/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/span>

// Each thread counts a piece of its own, whose length is rounded up.
__device__ void count(cuda::std::span<const char> text, cuda::std::span<cuda::std::uint32_t, 7> bins) {
  for (const char c : text)
    if (c >= 'a' && c <= 'z') atomicAdd(&bins[(c - 'a') / 4], 1u);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x, piece = cuda::ceil_div(length, threads);
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  if (begin >= length) return;
  const cuda::std::span<const char> all(data, length);
  count(all.subspan(begin, begin + piece > length ? length - begin : piece), cuda::std::span<cuda::std::uint32_t, 7>(histo, 7));
}
