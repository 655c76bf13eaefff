// lab: 02
// finding: illegal_instruction - 7
// try: PLACEHOLDER
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const int width = (int)(gridDim.y - 1) * 4;  // -
//+   const int width = 4;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / width], 1u);
}
