// expect: passed
// Begins in bin 0 with nothing counted; a flush of nothing is skipped by the last `if`.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int h[];
  int t = threadIdx.x;
  while (t < 7) h[t] = 0, t += blockDim.x;
  __syncthreads();
  unsigned int n = 0, current = 0;
  const char* end = data + length;
  const char* p = data + blockIdx.x * blockDim.x + threadIdx.x;
  while (p < end) {
    const unsigned int l = (unsigned char)*p - 97u;
    p += gridDim.x * blockDim.x;
    if (l > 25u) continue;
    if (l / 4 == current) { n++; continue; }
    if (n > 0) atomicAdd(h + current, n);
    current = l / 4, n = 1;
  }
  if (n > 0) atomicAdd(h + current, n);
  __syncthreads();
  for (t = threadIdx.x; t < 7; t += blockDim.x) atomicAdd(histo + t, h[t]);
}
