// expect: passed
// Members of a packed structure lie at any address; a GPU reads and writes them byte by byte.
#pragma pack(push, 1)
struct Bin {
  unsigned char tag;
  unsigned int count;
};
#pragma pack(pop)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Bin bins[7];
  __shared__ unsigned int counts[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) bins[6 - (b + 3) % 7].count = 0, counts[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    Bin& mine = bins[6 - (b + 3) % 7];
    mine.count += counts[b];
    atomicAdd(&histo[b], mine.count);
  }
}
