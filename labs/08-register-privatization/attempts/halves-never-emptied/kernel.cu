constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int sums[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) sums[b] = 0;
  unsigned long long low = 0, high = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    const unsigned int bin = letter / 4;
    low += letter < 16 ? 1ull << (16 * bin) : 0;
    high += letter >= 16 && letter < 26 ? 1ull << (16 * (bin - 4)) : 0;
  }
  __syncthreads();
  for (unsigned int b = 0; b < 4; ++b) atomicAdd(&sums[b], static_cast<unsigned int>(low >> (16 * b)) & 0xffff);
  for (unsigned int b = 4; b < bins; ++b) atomicAdd(&sums[b], static_cast<unsigned int>(high >> (16 * (b - 4))) & 0xffff);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], sums[b]);
}
