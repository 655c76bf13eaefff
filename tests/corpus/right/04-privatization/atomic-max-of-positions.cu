// expect: passed
// First and last letter of the block are found with atomicMin and atomicMax; only what lies between is looked at again.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7], first, last, seen;
  if (threadIdx.x == 0) {
    first = 0xffffffffu;
    last = seen = 0u;
  }
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int l = i < length ? (unsigned char)data[i] - 97u : 99u;
  if (l < 26) {
    atomicMin(&first, i);
    atomicMax(&last, i);
    atomicOr(&seen, 1u << l);
  }
  __syncthreads();
  if (i >= first && i <= last && (seen >> min(l, 31u) & 1) && l < 26) atomicAdd(&s[l / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    if (seen >> (4 * b) & 15u) atomicAdd(&histo[b], s[b]);
}
