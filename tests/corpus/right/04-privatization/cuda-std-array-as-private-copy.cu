// expect: passed
#include <cuda/std/array>
#include <cuda/std/type_traits>

template <class Bins>
__device__ void commit(const Bins& bins, unsigned int* histo) {
  static_assert(cuda::std::is_same_v<typename Bins::value_type, unsigned int>);
  for (unsigned int bin = threadIdx.x; bin < bins.size(); bin += blockDim.x)
    if (bins[bin] != 0) atomicAdd(&histo[bin], bins[bin]);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ cuda::std::array<unsigned int, 7> bins;
  for (unsigned int bin = threadIdx.x; bin < bins.size(); bin += blockDim.x) bins[bin] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins.at((data[i] - 'a') / 4), 1u);
  __syncthreads();
  commit(bins, histo);
}
