// expect: compile_error - - 3
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[blockDim.x];
  s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&histo[0], s[0]);
}
