// expect: failed data_race letters 14/11 first
// Many store the same 1 (harmless); the flag is read and reset in the same phase as the next round sets it.
constexpr unsigned int factor = 4;
extern "C" __device__ const unsigned int coarsening_factor = factor;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], letters;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  letters = 0; __syncthreads();
  for (unsigned int k = 0; k < factor; ++k) {
    const unsigned int i = blockIdx.x * blockDim.x * factor + k * blockDim.x + threadIdx.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') { letters = 1;
      atomicAdd(&mine[(data[i] - 'a') / 4], 1u); }
    __syncthreads();
    if (letters == 0) continue;
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
