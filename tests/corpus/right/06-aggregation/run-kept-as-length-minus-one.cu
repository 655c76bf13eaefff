// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  unsigned int more = 0;
  int bin = -1;
  const auto flush = [&] { if (bin >= 0) atomicAdd(&s[bin], more + 1); };
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (letter / 4 == bin) { ++more; continue; }
    flush();
    bin = letter / 4, more = 0;
  }
  flush();
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
