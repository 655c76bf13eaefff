// expect: passed
#define JOIN(a, b) a##b
#define FIRST_LETTER 'a'
[[nodiscard]] __device__ __noinline__ int JOIN(bin_, of)(char c) { return (c - FIRST_LETTER) / 4; }
__global__ void histogram(const char* __restrict__ data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= FIRST_LETTER && data[i] <= 'z') JOIN(atomic, Add)(&histo[bin_of(data[i])], 1u);
}
