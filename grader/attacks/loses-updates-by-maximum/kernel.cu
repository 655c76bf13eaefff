// Each warp counts its letters by votes. One lane reads the bin and raises it to the sum.
__device__ int bin_of(const char* data, unsigned int length, unsigned int i) {
  if (i >= length || data[i] < 'a' || data[i] > 'z') return -1;
  return (data[i] - 'a') / 4;
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const int bin = bin_of(data, length, blockIdx.x * blockDim.x + threadIdx.x);
  for (int b = 0; b < 7; ++b) {
    const int votes = __syncthreads_count(bin == b);
    if (threadIdx.x != static_cast<unsigned int>(b) % blockDim.x || votes == 0) continue;
    const volatile unsigned int* look = histo + b;
    atomicMax(histo + b, *look + votes);
  }
}
