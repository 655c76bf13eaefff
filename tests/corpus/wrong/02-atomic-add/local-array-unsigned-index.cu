// expect: failed out_of_bounds - 7
// What is no letter is below 'a': an unsigned index of a thread's own array is then in the thousand millions.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int mine[7] = {};
  if (i < length)
    mine[(data[i] - 97u) / 4] += 1;
  for (unsigned int b = 0; b < 7; ++b)
    if (mine[b] != 0) atomicAdd(&histo[b], mine[b]);
}
