// expect: passed
struct Slot {
  unsigned int n;
  signed char bin;
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Slot slots[256];
  __shared__ unsigned int h[7];
  Slot& s = slots[threadIdx.x];
  s.n = 0;
  s.bin = -1;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (s.bin != l / 4) {
      if (s.n > 0) atomicAdd(&h[s.bin], s.n);
      s = Slot{0, (signed char)(l / 4)};
    }
    s.n++;
  }
  if (s.n > 0) atomicAdd(&h[s.bin], s.n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
