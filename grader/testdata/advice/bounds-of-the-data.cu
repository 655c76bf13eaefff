// lab: 02
// finding: out_of_bounds data 6
// try: Check the index against the length before you use it
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char c = data[i];  // -
//+   const char c = i < length ? data[i] : 0;
  if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
}
