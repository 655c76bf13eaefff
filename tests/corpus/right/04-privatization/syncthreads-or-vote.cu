// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int l = i < length ? data[i] - 'a' : -1;
  const bool letter = l >= 0 && l < 26;
  if (!__syncthreads_or(letter)) return;  // no letter in this block
  if (letter) atomicAdd(&h[l / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
