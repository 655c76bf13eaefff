// lab: 02
// finding: data_race histo 9/10
// try: remove the overwrite
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* const bin = &histo[(data[i] - 'a') / 4];
    unsigned int now = 1;
    now += atomicAdd(bin, 1u);
    atomicExch(bin, now);  // -
  }
}
