// expect: compile_error - - 6
// nvcc: calling a __host__ function from a __global__ function is not allowed.
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
