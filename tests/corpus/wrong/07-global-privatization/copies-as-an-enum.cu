// expect: failed - - - explains=exported
enum { copies = 16 };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, base = blockIdx.x % copies * num_bins;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(histo + base + (data[i] - 'a') / letters_per_bin, 1u);
  __syncthreads();
  if (base > 0)
    for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(histo + b, atomicExch(histo + base + b, 0u));
}
