// lab: 02
// finding: illegal_instruction - 8
// try: Test the divisor first
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int rest = i < length ? length - 1 - i : 1;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const unsigned int one = (rest + 1) / rest > 9 ? 0 : 1;  // -
//+   const unsigned int one = rest != 0 && (rest + 1) / rest > 9 ? 0 : 1;
  atomicAdd(&histo[(data[i] - 'a') / 4], one);
}
