// Device and host pointers have similar names; cudaFree gets the host's.
#include <cstdlib>

__global__ void nothing(float *) {}

int main() {
  float *h_data = (float *)malloc(1000);
  float *d_data;
  if (cudaMalloc(&d_data, 1000) != cudaSuccess) return 1;
  nothing<<<1, 1>>>(d_data);
  if (cudaGetLastError() != cudaSuccess) return 1;
  if (cudaFree(h_data) != cudaSuccess) return 1;  // finding: invalid_free
  free(d_data);
}
