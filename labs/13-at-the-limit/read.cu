// The read limit of lab 13: reads all of the data, 16 bytes per load, and does nothing else.
//
// The result has to be used, or the compiler removes the loads: the words are folded together, and written only if the result is
// a value that no data of the lab has.
extern "C" __device__ const unsigned int threads_per_block = 512;
extern "C" __device__ const unsigned int blocks_per_multiprocessor = 4;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const uint4* wide = reinterpret_cast<const uint4*>(data);
  const unsigned int loads = length / 16, threads = gridDim.x * blockDim.x;
  unsigned int fold = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < loads; i += 4 * threads) {
#pragma unroll
    for (unsigned int k = 0; k < 4; ++k) {
      if (i + k * threads < loads) {
        const uint4 words = wide[i + k * threads];
        fold |= words.x & words.y & words.z & words.w;
      }
    }
  }
  if (fold == 0xffffffff) {
    atomicAdd(&histo[0], 1u);
  }
}
