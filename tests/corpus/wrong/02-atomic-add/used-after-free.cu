// expect: failed out_of_bounds malloc@6 9
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;

  int* bin = (int*)malloc(sizeof(int));
  *bin = (data[i] - 'a') / 4;
  free(bin);
  atomicAdd(&histo[*bin], 1u);
}
