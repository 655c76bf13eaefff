// expect: failed data_race most 11/13 first
// All store the same number of bins in a short; thread 1 uses it without a barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ short most;
  const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (unsigned int b = t; b < 7; b += blockDim.x) mine[b] = 0;
  if (t == 0) most = 7;
  __syncthreads();
  if (t < 3)
    most = 6;
  int bins = 7;
  if (t == 3) bins = most > 0 ? 7 : 0;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = t; b < bins; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
