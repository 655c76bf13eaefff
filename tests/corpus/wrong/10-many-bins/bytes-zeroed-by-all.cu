// expect: failed data_race - 6 first says=lost
// Bytes: the bins are zeroed by each thread, counted by a plain ++.
extern __shared__ unsigned int part[];
__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  for (unsigned int b = 0; b < num_bins; ++b) part[b] = 0;  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) if (data[i] < num_bins) part[data[i]]++;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) if (part[b]) atomicAdd(&histo[b], part[b]);
}
__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) if (data[i] < num_bins) atomicAdd(&histo[data[i]], 1u);
}
extern "C" __device__ const unsigned int shared_bytes = 0;
