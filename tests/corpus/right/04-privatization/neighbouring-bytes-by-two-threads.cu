// expect: passed
// Neighbouring bytes are written by different threads: that is no race.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ bool is_letter[256];
  __shared__ char letter[256];
  __shared__ unsigned int h[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  letter[threadIdx.x] = i < length ? data[i] : '\0';
  is_letter[threadIdx.x] = letter[threadIdx.x] >= 'a' && letter[threadIdx.x] <= 'z';
  if (threadIdx.x < 7) h[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    for (unsigned int b = blockDim.x; b < 7; ++b) h[b] = 0;
  __syncthreads();
  const unsigned int partner = (threadIdx.x + 1) % blockDim.x;
  if (is_letter[partner]) atomicAdd(&h[(letter[partner] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
