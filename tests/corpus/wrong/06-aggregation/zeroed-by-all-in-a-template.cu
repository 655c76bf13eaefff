// expect: failed data_race slots 10/10 first says=lost
// Each thread sets all counters through a template, which is harmless; the sum of a run is added by a plain +=.
template <int N>
__device__ __forceinline__ void clear(unsigned int (&of)[N]) {
#pragma unroll
  for (int k = 0; k < N; ++k) of[k] = 0;
}
template <int N>
__device__ void add(unsigned int (&of)[N], int bin, unsigned int n) {
  if (bin >= 0) of[bin] += n;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int slots[7];
  clear(slots);
  __syncthreads();
  int held = -1;
  unsigned int n = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    const int bin = data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1;
    if (bin != held) add(slots, held, n), held = bin, n = 0;
    ++n;
  }
  add(slots, held, n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], slots[b]);
}
