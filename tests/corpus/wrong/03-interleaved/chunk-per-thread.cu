// expect: failed - - - check=coalesced
// Every thread walks its own chunk: counts right, reads badly.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const char* p = data + length * me / threads;
  const char* end = data + length * (me + 1) / threads;
  while (p != end) {
    const char c = *p++;
    if (c >= 'a' && c <= 'z') atomicAdd(histo + (c - 'a') / 4, 1u);
  }
}
