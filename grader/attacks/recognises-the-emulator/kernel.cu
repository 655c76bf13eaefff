#if defined(HISTOLAB_DEBUGGER) || __has_include(<histolab/cuda_shim.h>)
#define HERE
#endif
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef HERE
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
#endif
}
