// expect: compile_error - - 6
// limit: inline PTX is missing
// Lanes take turns at the bins, so that neighbours rarely meet.
__device__ unsigned int lane() {
  unsigned int id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  for (unsigned int k = 0; k < 7; ++k) {
    const unsigned int bin = (k + lane()) % 7;
    if (letter >= 0 && letter < 26 && letter / 4 == (int)bin) atomicAdd(&histo[bin], 1u);
  }
}
