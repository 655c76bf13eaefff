// expect: passed
struct Private {
  unsigned int bin[7];
  unsigned int others;
  __device__ void clear() {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) bin[b] = 0;
    if (threadIdx.x == 0) others = 0;
  }
  __device__ void add(char c) {
    const int l = c - 'a';
    if (l >= 0 && l < 26) atomicAdd(&bin[l / 4], 1u);
    else atomicAdd(&others, 1u);
  }
  __device__ void commit(unsigned int* to) const {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&to[b], bin[b]);
  }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Private mine;
  mine.clear();
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) mine.add(data[i]);
  __syncthreads();
  mine.commit(histo);
}
