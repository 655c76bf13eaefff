// The pinned buffer has room for half of the result.
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

__global__ void count(unsigned *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }

int main() {
  const size_t n = 2048;
  unsigned *d_out, *h_out;
  gpuErrchk(cudaMalloc(&d_out, n * sizeof(unsigned)));
  gpuErrchk(cudaMallocHost(&h_out, n / 2 * sizeof(unsigned)));
  count<<<n / 256, 256>>>(d_out);
  gpuErrchk(cudaPeekAtLastError());
  // finding below: invalid_copy
  gpuErrchk(cudaMemcpy(h_out, d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  printf("%u\n", h_out[0]);
  gpuErrchk(cudaFree(d_out));
  gpuErrchk(cudaFreeHost(h_out));
}
