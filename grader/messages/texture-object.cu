// lab: 02-atomic-add
// A parameter of the kernel would be another mistake.
__device__ cudaTextureObject_t samples;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) atomicAdd(&histo[(tex1Dfetch<char>(samples, i) - 'a') / 4], 1u);
}
