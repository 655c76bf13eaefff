// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int all = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int rounds = length / all, rest = length % all;
  for (unsigned int r = 0; r < rounds; ++r) {
    const int l = data[r * all + me] - 'a';
    if (l >= 0 && l <= 25) atomicAdd(&histo[l / 4], 1u);
  }
  if (me < rest) {
    const int l = data[rounds * all + me] - 'a';
    if (l >= 0 && l <= 25) atomicAdd(&histo[l / 4], 1u);
  }
}
