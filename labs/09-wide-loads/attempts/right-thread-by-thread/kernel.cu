constexpr unsigned int bins = 7;

__device__ void count(unsigned int* counts, unsigned char character) {
  const int letter = character - 'a';
  if (letter >= 0 && letter < 26) {
    atomicAdd(&counts[letter / 4], 1u);
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  const char* end = data + length;
  const char* first = data;
  while (first < end && reinterpret_cast<unsigned long long>(first) % 16 != 0) ++first;
  const char* last = first + (end - first) / 16 * 16;
  for (const char* at = first + 16ull * thread; at < last; at += 16ull * threads) {
    const uint4 four = *reinterpret_cast<const uint4*>(at);
    const unsigned int words[4] = {four.x, four.y, four.z, four.w};
    for (int k = 0; k < 16; ++k) count(counts, words[k / 4] >> 8 * (k % 4) & 0xff);
  }
  const unsigned int head = first - data, rest = head + (end - last);
  if (thread < rest) count(counts, thread < head ? data[thread] : last[thread - head]);
  for (unsigned int i = thread + threads; i < rest; i += threads) count(counts, i < head ? data[i] : last[i - head]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
