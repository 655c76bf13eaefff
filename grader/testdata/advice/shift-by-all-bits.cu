// lab: 02
// finding: unsupported - 7
// try: look at the distance first, as in `n < 32 ? x >> n : 0`
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int below = 0xffffffffu >> (32 - lane);  // -
//+   const unsigned int below = 32 - lane < 32 ? 0xffffffffu >> (32 - lane) : 0;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], __popc(below) == lane ? 1u : 0u);
}
