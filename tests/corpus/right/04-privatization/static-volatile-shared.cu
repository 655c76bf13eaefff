// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  static __shared__ unsigned int s[7];
  volatile __shared__ bool any;
  if (threadIdx.x == 0) any = false;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool letter = i < length && data[i] >= 'a' && data[i] <= 'z';
  if (letter) atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  const int n = __syncthreads_count(letter);
  if (threadIdx.x == blockDim.x - 1 && n > 0) any = true;
  __syncthreads();
  if (!any) return;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
