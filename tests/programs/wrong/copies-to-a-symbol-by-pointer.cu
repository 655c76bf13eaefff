// cudaMemcpyToSymbol gets a pointer of cudaMalloc.
#include <cstdio>

__global__ void read(const int* p) {
  if (*p == 3) printf("three\n");
}

int main() {
  int value = 3, *p;
  if (cudaMalloc(&p, sizeof value) != cudaSuccess) return 1;
  if (cudaMemcpyToSymbol(*p, &value, sizeof value) != cudaSuccess) {  // finding: invalid_argument
    std::puts("cannot copy");
    return 1;
  }
  read<<<1, 1>>>(p);
  return cudaDeviceSynchronize() || cudaFree(p);
}
