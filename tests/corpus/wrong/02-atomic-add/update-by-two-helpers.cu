// expect: failed data_race histo 3/4 first says=lost
// The read is in one helper, the write in another.
__device__ unsigned int one_more_than(const unsigned int* counter) { return *counter + 1; }
__device__ void put(unsigned int* counter, unsigned int value) { *counter = value; }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  unsigned int* counter = histo + (data[i] - 'a') / 4;
  put(counter, one_more_than(counter));
}
