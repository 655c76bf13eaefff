// lab: 02
// finding: invalid_launch - 4
// try: Write __launch_bounds__(1024), or delete __launch_bounds__
__global__ void __launch_bounds__(128) histogram(const char* data, unsigned int length, unsigned int* histo) {  // -
//+ __global__ void __launch_bounds__(1024) histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
