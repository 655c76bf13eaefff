// lab: 07
// finding: data_race histo 8/10
// try: If the read must see the final value, put __syncthreads() between them
extern "C" __device__ const unsigned int copies = 8192;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  unsigned int* mine = histo + num_bins * (1 + blockIdx.x);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / letters_per_bin], 1u);
//+   __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
