// lab: 02-atomic-add
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z'
    return;
  const int bin = (data[i] - 'a') / 4;
  atomicAdd(&histo[bin], 1u);
}
