// lab: 02
// finding: step_limit - 6/7
// try: Check what makes the loop's condition false
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = 7; b >= 0; --b) {  // -
//+   for (int b = 7; b >= 0; --b) {
  }
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
