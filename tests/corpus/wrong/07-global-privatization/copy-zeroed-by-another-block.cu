// expect: failed data_race histo 7/10 says=ticket
// Two blocks share a copy; the even one clears it, with a barrier that orders nothing for the odd one.
extern "C" __device__ const unsigned int copies = 4097;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  unsigned int* const mine = histo + num_bins * (1 + blockIdx.x / 2 % 4096);
  if (blockIdx.x % 2 == 0)
    for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicExch(mine + b, 0u);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(mine + (data[i] - 'a') / letters_per_bin, 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(histo + b, atomicExch(mine + b, 0u));
}
