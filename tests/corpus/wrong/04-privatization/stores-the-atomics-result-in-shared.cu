// expect: failed data_race mine 10 first says=remove
// The same in shared memory, by a struct's member.
struct Bins {
  unsigned int of[7];
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Bins mine;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine.of[b] = 0;
  __syncthreads();
  auto count = [&](int letter) { mine.of[letter / 4] = 1 + atomicAdd(&mine.of[letter / 4], 1); };
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') count(data[i] - 'a');
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine.of[b]);
}
