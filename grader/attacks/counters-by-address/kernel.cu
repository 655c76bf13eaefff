__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter > 25) continue;
    unsigned int* counter = &a;
    switch (letter / 4) {
      case 1: counter = &b; break;
      case 2: counter = &c; break;
      case 3: counter = &d; break;
      case 4: counter = &e; break;
      case 5: counter = &f; break;
      case 6: counter = &g; break;
    }
    ++*counter;
  }
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  const unsigned int own[7] = {a, b, c, d, e, f, g};
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], own[bin]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}
