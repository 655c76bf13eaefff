namespace {
__device__ int hidden;
struct Nameless { int a; };
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int unset[4];
  unsigned int never_set;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 && length != 0) {
    printf("%s %s %s\n", __DATE__, __TIME__, __TIMESTAMP__);
    printf("%s %s %d %d %d %s\n", __FILE__, __BASE_FILE__, __COUNTER__, __COUNTER__, __INCLUDE_LEVEL__, __VERSION__);
    printf("%p %p %p %p %p\n", data, histo, unset, &hidden, &never_set);
    printf("%lld %lld %u\n", clock64(), (long long)clock(), (unsigned)((unsigned long long)histo * 2654435761u >> 7));
    printf("%s\n", __PRETTY_FUNCTION__);
    int* const heap = (int*)malloc(64);
    if (heap != nullptr) printf("%p\n", heap), free(heap);
  }
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 2u);
}
