// expect: failed out_of_bounds data 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i <= (int)length; i += gridDim.x * blockDim.x) {
    char c = data[i];
    if (c < 'a' || c > 'z') continue;
    atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
