// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = __float2int_rn(__fadd_rn((float)data[i], -97.0f));
  if (letter < 0 || letter >= 26) return;
  const int bin = __float2int_rd(__fdividef((float)letter, 4.0f));
  if (__isGlobal(histo)) atomicAdd_system(&histo[bin], 1u);
}
