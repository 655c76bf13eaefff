// The size overflows to a giant number; the result of cudaMalloc is not looked at.
#include <cstdio>

int main() {
  int n = 30000;
  float* matrix = nullptr;
  size_t bytes = n * n * 4 * sizeof(float);  // int overflow: n * n * 4 is negative
  cudaMalloc(&matrix, bytes);  // finding: unchecked_error
  std::printf("allocated %d x %d\n", n, n);
  cudaFree(matrix);
}
