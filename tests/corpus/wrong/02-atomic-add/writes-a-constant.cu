// expect: failed write_to_input first_letter 5
// Constant memory is set by the host; a kernel's store there ends the launch on a GPU.
__constant__ unsigned int first_letter = 'a';
__device__ void set(unsigned int* where) {
  *where = 'a';
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) set(&first_letter);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - first_letter) / 4], 1u);
}
