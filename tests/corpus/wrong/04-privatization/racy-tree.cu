// expect: failed data_race rows 13
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned short rows[256][8];
  const unsigned int t = threadIdx.x, n = blockDim.x;
  for (int b = 0; b < 8; ++b) rows[t][b] = 0;
  const unsigned int i = blockIdx.x * n + t;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') rows[t][(data[i] - 'a') / 4]++;
  __syncthreads();
  unsigned int width = 1;
  while (width < n) width *= 2;
  for (unsigned int half = width / 2; half > 0; half /= 2)
    if (t < half && t + half < n)
      for (int b = 0; b < 7; ++b) rows[t][b] += rows[t + half][b];
  __syncthreads();
  for (unsigned int b = t; b < 7; b += n) atomicAdd(&histo[b], (unsigned int)rows[0][b]);
}
