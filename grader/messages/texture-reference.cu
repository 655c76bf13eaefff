// lab: 02-atomic-add
texture<char, cudaTextureType1D, cudaReadModeElementType> text;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) atomicAdd(&histo[(tex1Dfetch(text, i) - 'a') / 4], 1u);
}
