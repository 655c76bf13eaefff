// expect: failed - - - check=matches_reference explains=begin
// A copy per warp; only the constructor begins at the first letter, a new run does not.
template <int N>
struct Accumulator {
  unsigned int* const where;
  int bin;
  int count;
  __device__ Accumulator(unsigned int* to) : where(to), bin(N), count(0) {}
  __device__ void operator()(int next) {
    switch (next == bin) {
      case true: ++count; break;
      case false:
        flush();
        bin = next;
        count = 0;
    }
  }
  __device__ void flush() { if (bin != N) atomicAdd(&where[bin], count); }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int copies[32][8];
  unsigned int* const mine = copies[threadIdx.x / 32];
  for (unsigned int k = threadIdx.x; k < 32 * 8; k += blockDim.x) (&copies[0][0])[k] = 0;
  __syncthreads();
  Accumulator<7> run(mine);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') run((data[i] - 'a') / 4);
  run.flush();
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (int w = 0; w < 32; ++w) sum += copies[w][b];
    atomicAdd(&histo[b], sum);
  }
}
