// cudaMemset gets the host's array.
#include <cstdio>
#include <cstdlib>

int main() {
  int* h = (int*)malloc(400);
  cudaError_t e = cudaMemset(h, 0, 400);  // finding: invalid_device_pointer
  if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e));
  free(h);
}
