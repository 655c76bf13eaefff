// expect: failed out_of_bounds data 7
// A "hash" of the index overflows and becomes negative.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const int n = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (int)length; i += n) {
    const int j = i * 524288 / 524288;
    const int l = data[j] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}
