// expect: passed
struct Run {
  int bin = -1;
  unsigned int n = 0;
  __device__ void flush(unsigned int* h) {
    if (n) atomicAdd(&h[bin], n);
    n = 0;
  }
  __device__ void see(int b, unsigned int* h) {
    if (b != bin) {
      flush(h);
      bin = b;
    }
    ++n;
  }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  Run run;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') run.see((data[i] - 'a') / 4, h);
  run.flush(h);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
