// expect: failed out_of_bounds histo 7 more explains=export
// A copy for each block, and nothing that says how many.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  unsigned int* const mine = histo + num_bins * (1 + blockIdx.x);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(mine + (data[i] - 'a') / letters_per_bin, 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(histo + b, mine[b]);
}
