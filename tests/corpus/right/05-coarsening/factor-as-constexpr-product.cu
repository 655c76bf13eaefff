// expect: passed
constexpr unsigned int kVector = 4, kVectors = 3;
extern "C" __device__ const unsigned int coarsening_factor = kVector * kVectors;
__global__ void __launch_bounds__(1024) histogram(const char* __restrict__ data, unsigned int length, unsigned int* __restrict__ histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  for (unsigned int v = 0; v < kVectors; ++v) {
    const unsigned int at = ((blockIdx.x * kVectors + v) * blockDim.x + threadIdx.x) * kVector;
    if (at + kVector <= length) {
      const char4 q = *reinterpret_cast<const char4*>(&data[at]);
      const char c[kVector] = {q.x, q.y, q.z, q.w};
      for (char k : c)
        if (k >= 'a' && k <= 'z') atomicAdd(&h[(k - 'a') / 4], 1u);
    } else {
      for (unsigned int i = at; i < length; ++i)
        if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
    }
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
