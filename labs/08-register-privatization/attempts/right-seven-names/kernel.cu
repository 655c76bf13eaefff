__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int a = 0, e = 0, i = 0, m = 0, q = 0, u = 0, y = 0;
  for (unsigned int at = blockIdx.x * blockDim.x + threadIdx.x; at < length; at += gridDim.x * blockDim.x) {
    const char c = data[at];
    a += c >= 'a' && c <= 'd';
    e += c >= 'e' && c <= 'h';
    i += c >= 'i' && c <= 'l';
    m += c >= 'm' && c <= 'p';
    q += c >= 'q' && c <= 't';
    u += c >= 'u' && c <= 'x';
    y += c >= 'y' && c <= 'z';
  }
  __shared__ unsigned int sums[7];
  if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) sums[b] = 0;
  __syncthreads();
  atomicAdd(&sums[0], a);
  atomicAdd(&sums[1], e);
  atomicAdd(&sums[2], i);
  atomicAdd(&sums[3], m);
  atomicAdd(&sums[4], q);
  atomicAdd(&sums[5], u);
  atomicAdd(&sums[6], y);
  __syncthreads();
  if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], sums[b]);
}
