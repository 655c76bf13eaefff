// expect: failed data_race histo 3/8 first says=remove
// A helper adds atomically and returns the sum; the caller stores it once more.
__device__ unsigned int add(unsigned int* to, unsigned int what) { return atomicAdd(to, what) + what; }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    histo[(data[i] - 'a') / 4] = add(&histo[(data[i] - 'a') / 4], 1);
}
