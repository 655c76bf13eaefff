// The y dimension of a grid has at most 65535 blocks.
#include <cstdio>

__global__ void mark(char* rows) {
  if (threadIdx.x == 0) rows[blockIdx.y] = 1;
}

int main() {
  const int rows = 70000;
  char* d;
  if (cudaMalloc(&d, rows) != cudaSuccess) return 1;
  mark<<<dim3(1, rows), 32>>>(d);  // finding: invalid_launch
  if (cudaGetLastError() != cudaSuccess) {
    std::puts("cannot launch");
    return 1;
  }
  return cudaFree(d) != cudaSuccess;
}
