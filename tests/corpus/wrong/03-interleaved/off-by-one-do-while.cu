// expect: failed out_of_bounds data 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
    i += gridDim.x * blockDim.x;
  } while (i < length);
}
