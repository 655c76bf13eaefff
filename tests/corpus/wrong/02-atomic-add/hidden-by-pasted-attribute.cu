// expect: refused
#define JOIN(a, b) a##b
__device__ __attribute__((JOIN(no_san, itize)("thread"), noinline)) void add(unsigned int* to) { *to += 1; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') add(&histo[(data[i] - 'a') / 4]);
}
