// expect: failed illegal_instruction - 7
// Each thread's own counts: an atomic function cannot reach them on a GPU, and need not.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int mine[7] = {};
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  for (unsigned int b = 0; b < 7; ++b)
    if (mine[b] != 0) atomicAdd(&histo[b], mine[b]);
}
