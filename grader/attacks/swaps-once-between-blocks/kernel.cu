// The swap's result is checked, but no thread tries again.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int before[7], after[7], failed;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? static_cast<unsigned char>(data[i]) - 'a' : 255;
  if (threadIdx.x == 0) failed = 0;
  for (unsigned int b = 0; b < 7; ++b) {
    const unsigned int here = __syncthreads_count(letter < 26 && letter / 4 == b);
    if (threadIdx.x == 0) before[b] = atomicOr(&histo[b], 0u), after[b] = before[b] + here;
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    for (unsigned int b = 0; b < 7; ++b)
      if (atomicCAS(&histo[b], before[b], after[b]) != before[b]) ++failed;
}
