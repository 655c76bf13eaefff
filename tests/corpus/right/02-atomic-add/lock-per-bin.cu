// expect: passed
// One lock for each bin; what one guards needs no other.
__device__ int lock[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const int bin = (data[i] - 'a') / 4;
  for (bool counted = false; !counted;) {
    if (atomicCAS(&lock[bin], 0, 1) != 0) continue;
    __threadfence();
    histo[bin] += 1;
    __threadfence();
    atomicExch(&lock[bin], 0);
    counted = true;
  }
}
