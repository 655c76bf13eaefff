__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < (int)length; i += blockDim.x * gridDim.x) {
    const char c = data[i];
    if (c < 'a' || c > 'z') continue;
    unsigned int* bin = &histo[(c - 'a') / 4];
    unsigned int old = *(volatile unsigned int*)bin, assumed;
    do {
      assumed = old;
      old = atomicCAS(bin, assumed, assumed + 1);
    } while (assumed != old);
  }
}
