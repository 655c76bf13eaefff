// expect: passed
// Instead of one run, seven counters: no more than seven flushes a thread.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned int c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    switch (data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1) {
      case 0: ++c0; break;
      case 1: ++c1; break;
      case 2: ++c2; break;
      case 3: ++c3; break;
      case 4: ++c4; break;
      case 5: ++c5; break;
      case 6: ++c6; break;
    }
  }
  if (c0) atomicAdd(&h[0], c0);
  if (c1) atomicAdd(&h[1], c1);
  if (c2) atomicAdd(&h[2], c2);
  if (c3) atomicAdd(&h[3], c3);
  if (c4) atomicAdd(&h[4], c4);
  if (c5) atomicAdd(&h[5], c5);
  if (c6) atomicAdd(&h[6], c6);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
