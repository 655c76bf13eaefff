// expect: passed
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
__device__ int bin_of(char c) {
  switch ((c - 'a') / 4) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    case 4: return 4;
    case 5: return 5;
    case 6: return 6;
    default: __builtin_unreachable();
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (unlikely(i >= length)) return;
  if (likely(data[i] >= 'a') && data[i] <= 'z') [[likely]]
    atomicAdd(&histo[bin_of(data[i])], 1u);
}
