struct Run {
  unsigned int* counts;
  unsigned int bin = 0;
  unsigned int n = 0;

  __device__ explicit Run(unsigned int* shared_counts) : counts(shared_counts) {}
  __device__ void flush() {
    if (n != 0) atomicAdd(counts + bin, n);
    n = 0;
  }
  __device__ void add(unsigned int to) {
    if (to != bin) flush();
    bin = to;
    ++n;
  }
};

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int counts[];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = length / threads + (length % threads != 0);
  const unsigned int begin = min(length, share * (blockIdx.x * blockDim.x + threadIdx.x));
  const unsigned int end = min(length, begin + share);
  Run run(counts);
  for (unsigned int i = begin; i != end; ++i) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter < 26) run.add(letter / 4);
  }
  run.flush();
  __syncthreads();

  if (threadIdx.x < 32) {
    for (unsigned int b = threadIdx.x; b < 7; b += min(blockDim.x, 32u)) atomicAdd(histo + b, counts[b]);
  }
}
