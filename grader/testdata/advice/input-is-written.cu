// lab: 02
// finding: write_to_input data 7
// try: Write results to the output only
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  ((char*)data)[i] = data[i] == 'a' ? 'b' : data[i];  // -
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
