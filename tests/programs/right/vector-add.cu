// Adds two vectors, in C style.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define N (33 * 1024)

static void HandleError(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void add(int *a, int *b, int *c) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < N) {
    c[tid] = a[tid] + b[tid];
    tid += blockDim.x * gridDim.x;
  }
}

int main(void) {
  int *a, *b, *c;
  int *dev_a, *dev_b, *dev_c;
  a = (int *)malloc(N * sizeof(int));
  b = (int *)malloc(N * sizeof(int));
  c = (int *)malloc(N * sizeof(int));
  HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void **)&dev_c, N * sizeof(int)));
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(int), cudaMemcpyHostToDevice));
  add<<<128, 128>>>(dev_a, dev_b, dev_c);
  HANDLE_ERROR(cudaMemcpy(c, dev_c, N * sizeof(int), cudaMemcpyDeviceToHost));
  bool success = true;
  for (int i = 0; i < N; i++) {
    if ((a[i] + b[i]) != c[i]) {
      printf("Error:  %d + %d != %d\n", a[i], b[i], c[i]);
      success = false;
    }
  }
  if (success) printf("We did it!\n");
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  free(a);
  free(b);
  free(c);
  return success ? 0 : 1;
}
