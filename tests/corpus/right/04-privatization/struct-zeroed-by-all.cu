// expect: passed
// Each thread sets all of it to zero; then atomic.
struct Bins { unsigned int of[7]; };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Bins bins;
  bins = Bins{};
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins.of[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], bins.of[b]);
}
