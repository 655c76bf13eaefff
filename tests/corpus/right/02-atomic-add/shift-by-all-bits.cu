// expect: passed
// Lane 0 shifts by 32: PTX gives 0, the processor here alone would give the number itself.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = data[i] - 'a', lane = threadIdx.x % 32;
  const unsigned int below = 0xffffffffu >> (32 - lane);
  if (letter < 26) atomicAdd(&histo[letter / 4], __popc(below) == lane ? 1u : 0u);
}
