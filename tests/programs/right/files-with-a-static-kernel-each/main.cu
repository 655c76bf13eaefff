// Each file has its own static kernel and variable of the same name.
#include <cstdio>

static __device__ int value = 1;
static __global__ void get(int* out) { *out = value; }
int other_value();

int main() {
  int *d, h;
  cudaMalloc(&d, sizeof(int));
  get<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%d %d\n", h, other_value());
  return h == 1 && other_value() == 2 ? 0 : 1;
}
