// expect: failed - - - check=matches_reference explains=begin
// Contiguous ranges; the counter is kept as "length - 1", and the flush forgets the 1.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0u;
  __syncthreads();
  const unsigned int threads = gridDim.x * blockDim.x, share = (length + threads - 1) / threads;
  const unsigned int begin = min(length, (blockIdx.x * blockDim.x + threadIdx.x) * share), end = min(length, begin + share);
  int bin = -1;
  unsigned int more = 0;
  for (unsigned int i = begin; i < end; ++i) {
    const unsigned int letter = (unsigned char)data[i] - (unsigned char)'a';
    if (letter > 25u) continue;
    const int next = letter >> 2;
    const bool same = next == bin;
    if (!same && more) atomicAdd(&s[bin], more);
    more = same ? more + 1 : 0;
    bin = next;
  }
  if (more) atomicAdd(&s[bin], more);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (s[b]) atomicAdd(&histo[b], s[b]);
}
