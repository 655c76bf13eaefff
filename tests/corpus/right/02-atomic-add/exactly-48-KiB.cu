// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int many[48 * 1024 / 4];
  many[threadIdx.x] = 0;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') many[threadIdx.x] = (data[i] - 'a') / 4 + 1;
  __syncthreads();
  const unsigned int mirrored = many[blockDim.x - 1 - threadIdx.x];
  if (mirrored != 0) atomicAdd(&histo[mirrored - 1], 1u);
}
