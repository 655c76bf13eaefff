// expect: passed
#if (defined(__NVCC__) || defined(__CUDACC_RTC__)) && defined(__CUDA_ARCH__)
#define ASSUME(...) __builtin_assume(__VA_ARGS__)
#else
#error "not for a device"
#endif

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  ASSUME(gridDim.y == 1 && gridDim.z == 1);
  ASSUME(data != nullptr);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    ASSUME(letter / 4 < 7);
    atomicAdd(&histo[letter / 4], 1u);
  }
}
