// The result is copied after cudaFree.
#include <stdio.h>
#include <stdlib.h>

static void handle(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
#define HANDLE_ERROR(err) (handle(err, __FILE__, __LINE__))

__global__ void add(int a, int b, int *c) { *c = a + b; }

int main(void) {
  int c;
  int *dev_c;
  HANDLE_ERROR(cudaMalloc((void **)&dev_c, sizeof(int)));
  add<<<1, 1>>>(2, 7, dev_c);
  HANDLE_ERROR(cudaFree(dev_c));
  // finding below: use_after_free
  HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));
  printf("2 + 7 = %d\n", c);
  return 0;
}
