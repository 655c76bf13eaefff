// expect: failed data_race scratch 7/10
// The copies are a variable of the file's own.
extern "C" __device__ const unsigned int copies = 1;
__device__ unsigned int scratch[8192][26];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  auto& mine = scratch[blockIdx.x];
  for (int b = threadIdx.x; b < 26; b += blockDim.x) atomicExch(&mine[b], 0u);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&mine[(data[i] - 'a') / letters_per_bin], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
