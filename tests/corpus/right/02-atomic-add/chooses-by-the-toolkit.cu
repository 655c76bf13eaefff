// expect: passed
#include <cuda.h>
#include <cuda_runtime.h>
#if !defined(__CUDACC__) || !(defined(__NVCC__) || defined(__CUDACC_RTC__))
#error "CUDA only"
#endif
#if __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDART_VERSION || CUDA_VERSION != CUDART_VERSION
#error "compiler and runtime differ"
#endif
#if CUDART_VERSION < 9000
#define COUNT(mask) __popc(__ballot(mask))
#else
#define COUNT(mask) __popc(__ballot_sync(0xffffffffu, mask))
#endif

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  for (int bin = 0; bin < 7; ++bin) {
    const unsigned int count = COUNT(letter >= bin * 4 && letter < min(bin * 4 + 4, 26));
    if (threadIdx.x % 32 == 0 && count > 0) atomicAdd(&histo[bin], count);
  }
}
