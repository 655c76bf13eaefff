// expect: failed illegal_instruction|step_limit - 2
__device__ int depth(int letter) { return letter < 0 ? 0 : 1 + depth(letter ^ 1); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[depth(data[i] - 'a') % 7], 1u);
}
