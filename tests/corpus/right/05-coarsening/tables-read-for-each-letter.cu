// expect: passed slow=fast
// Bin and check both come from tables in device memory, which are read byte by byte.
extern "C" __device__ const int coarsening_factor = 16;
__device__ volatile unsigned char is_letter[256], bin_of[256];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned int i = begin; i < begin + coarsening_factor && i < length; ++i)
    if (is_letter[(unsigned char)data[i]] + bin_of[(unsigned char)data[i]] == 0 && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
