// The result is copied with the direction of the input's copy.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t err = (call);                                                   \
    if (err != cudaSuccess) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

__global__ void square(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * a[i];
}

int main() {
  const int n = 1 << 10;
  size_t bytes = n * sizeof(float);
  float *h_a = (float *)malloc(bytes), *d_a;
  for (int i = 0; i < n; i++) h_a[i] = (float)i;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
  square<<<(n + 255) / 256, 256>>>(d_a, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_a, d_a, bytes, cudaMemcpyHostToDevice));  // finding: invalid_copy
  printf("%f\n", h_a[3]);
  CHECK(cudaFree(d_a));
  free(h_a);
}
