// lab: 04
// finding: data_race rows 14/14
// try: Put __syncthreads() between them: in a loop, at the end of its body
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[256][7];
  const unsigned int t = threadIdx.x, n = blockDim.x;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = 0; b < 7; ++b) rows[t][b] = 0;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') rows[t][(data[i] - 'a') / 4]++;
  __syncthreads();
  unsigned int half = 128;
  for (; half > 0; half /= 2) {
    if (t < half && t + half < n)
      for (int b = 0; b < 7; ++b) rows[t][b] += rows[t + half][b];
//+     __syncthreads();
  }
  __syncthreads();
  if (t < 7 || n < 7)
    for (unsigned int b = t; b < 7; b += n) atomicAdd(&histo[b], rows[0][b]);
}
