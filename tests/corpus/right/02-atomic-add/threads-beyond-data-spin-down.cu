// expect: passed
// 64-bit index from three dimensions, as for any launch.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const dim3 threads = blockDim;
  const uint3 block = blockIdx, thread = threadIdx;
  const unsigned long long b = block.x + (unsigned long long)gridDim.x * (block.y + gridDim.y * block.z);
  const unsigned long long i =
      b * (threads.x * threads.y * threads.z) + thread.x + threads.x * (thread.y + threads.y * thread.z);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
