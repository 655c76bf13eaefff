// expect: failed data_race histo 10
__device__ int lock[2];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  int* mine = &lock[0];
  for (bool counted = false; !counted;) {
    if (atomicCAS(mine, 0, 1) != 0) continue;
    
    histo[(data[i] - 'a') / 4] += 1;
    if (length == 0) __threadfence();
    atomicExch(mine, 0);
    counted = true;
  }
}
