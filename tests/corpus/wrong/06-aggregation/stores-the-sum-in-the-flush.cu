// expect: failed data_race s 5/12 first says=remove
// The flush of a run stores what the addition came to.
template <class T>
__device__ T add(T* at, T what) {
  return atomicAdd(at, what) + what;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  unsigned int n = 0, bin = 7;
  const auto flush = [&] { if (n) s[bin] = add(&s[bin], n); };
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter > 25) continue;
    if (letter / 4 != bin) flush(), n = 0, bin = letter / 4;
    ++n;
  }
  flush();
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
