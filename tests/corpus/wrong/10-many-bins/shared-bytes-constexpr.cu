// expect: failed - - - explains=exported
constexpr unsigned int shared_bytes = 131072;
extern __shared__ unsigned int counts[];
template <class T> __device__ void count(const T* data, unsigned int length, unsigned int* histo, unsigned int n) {
  const unsigned int here = min(n, shared_bytes / 4);
  for (unsigned int b = threadIdx.x; b < here; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    if (data[i] < here) atomicAdd(&counts[data[i]], 1u);
    else if (data[i] < n) atomicAdd(&histo[data[i]], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < here; b += blockDim.x) if (counts[b]) atomicAdd(&histo[b], counts[b]);
}
__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) { count(data, length, histo, num_bins); }
__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) { count(data, length, histo, num_bins); }
